import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../support/child.js'

/** Answers everything with nothing: how fast it is asked is how fast the load can ask. */
const server = http.createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-length': 0 }).end()
})

answerParent(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // It listens on TCP: its address is of this kind.
  return { port: (server.address() as AddressInfo).port }
})
