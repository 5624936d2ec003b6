/** Uploads a text of so many bytes as the publisher: the path of it. */
export async function uploaded(ready, token, size) {
  const body = new FormData()
  body.append('file', new Blob(['x'.repeat(size)]), 'long.txt')
  const answer = await fetch(`${ready.base_url}/v1/publisher/asset`, {
    method: 'POST',
    headers: { 'App-Id': ready.app_id, Authorization: `Bearer ${token}` },
    body,
  })
  const { payload } = await answer.json()
  return new URL([payload].flat()[0].url).pathname
}
