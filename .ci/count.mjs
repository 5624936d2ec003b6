import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const folder = process.argv[2]
const files = existsSync(folder) ? readdirSync(folder) : []
const reports = files.map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')))
const sum = (key) => reports.reduce((total, report) => total + report[key], 0)
console.log(`${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed`)
