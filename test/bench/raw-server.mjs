import { createServer } from 'node:http'

/** The least a server in Node can do: answers a constant of as many bytes as the argument says. */
const body = JSON.stringify({ payload: 'x'.repeat(Number(process.argv[2])) })
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }
const server = createServer((_request, response) => response.writeHead(200, headers).end(body))
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
