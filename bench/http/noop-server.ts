import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../support/child.ts'

/** Answers every request with nothing: this rate is the fastest that the load can send. */
const server = http.createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-length': 0 }).end()
})

answerParent(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // It listens on TCP, so its address has this type.
  return { port: (server.address() as AddressInfo).port }
})
