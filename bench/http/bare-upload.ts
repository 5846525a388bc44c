import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { answerParent } from '../support/child.ts'

/**
 * The minimum work of an upload: the body goes as a stream into a file, which is on the disk before the answer. Nobody looks at it, and
 * nothing of it is stored elsewhere.
 */
const setting = z.object({ folder: z.string() })

answerParent(async (asked) => {
  const { folder } = setting.parse(asked)
  let files = 0
  const server = http.createServer((request, response) => {
    const file = path.join(folder, String((files += 1)))
    void store(request, file).then(
      () => response.writeHead(200, { 'content-length': 0 }).end(),
      () => response.writeHead(500, { 'content-length': 0 }).end(),
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // It listens on TCP, so its address has this type.
  return { port: (server.address() as AddressInfo).port }
})

async function store(request: http.IncomingMessage, file: string): Promise<void> {
  await pipeline(request, createWriteStream(file))
  const opened = await open(file, 'r+')
  try {
    await opened.datasync()
  } finally {
    await opened.close()
  }
}
