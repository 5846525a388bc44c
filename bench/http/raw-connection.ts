import { once } from 'node:events'
import net from 'node:net'

/** A kept-alive HTTP connection that does as little as possible: node:http would use more of the machine than the servers. */
export interface RawConnection {
  /**
   * Sends a whole request; resolves with the status once the whole answer has arrived. One request at a time. Rejects if the
   * connection ends before that, or has ended already.
   */
  ask(request: Buffer): Promise<number>
  /** The same with the body. */
  askWhole(request: Buffer): Promise<Answer>
  close(): void
}

export interface Answer {
  readonly status: number
  readonly body: Buffer
}

const headEnd = '\r\n\r\n'
const answer_bytes_max = 1024 * 1024

/** Opens a connection on the loopback. Answers must state their length, or have no body. */
export async function openConnection(port: number): Promise<RawConnection> {
  const socket = net.connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  await once(socket, 'connect')
  let received: Buffer = Buffer.alloc(0)
  let isClosed = false
  let asked: { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void } | undefined

  function settle(end: (waiting: NonNullable<typeof asked>) => void): void {
    const waiting = asked
    asked = undefined
    received = Buffer.alloc(0)
    if (waiting) end(waiting)
  }

  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    try {
      const answer = answerIn(received)
      if (answer) settle(({ resolve }) => resolve(answer))
    } catch (error) {
      settle(({ reject }) => reject(error instanceof Error ? error : new Error(String(error))))
    }
  })
  socket.on('error', (error) => settle(({ reject }) => reject(error)))
  socket.on('close', () => {
    isClosed = true
    settle(({ reject }) => reject(closed()))
  })
  function send(request: Buffer, waiting: NonNullable<typeof asked>): void {
    // It may have been closed between requests: then no answer would ever come.
    if (isClosed) return waiting.reject(closed())
    asked = waiting
    socket.write(request)
  }

  return {
    ask: (request) =>
      new Promise((resolve, reject) => send(request, { resolve: ({ status }) => resolve(status), reject })),
    askWhole: (request) => new Promise((resolve, reject) => send(request, { resolve, reject })),
    close: () => socket.destroy(),
  }
}

const closed = (): Error => new Error('The server closed the connection')

/** A complete answer; undefined while it is incomplete. */
function answerIn(received: Buffer): Answer | undefined {
  const end = received.indexOf(headEnd)
  if (end < 0) return undefined
  const head = received.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const length = status === 204 ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1])
  if (Number.isNaN(length) || length > answer_bytes_max)
    throw new Error(`An answer that states no length, or too much: ${head}`)
  const missing = end + headEnd.length + length - received.length
  if (missing < 0) throw new Error('More bytes than the answer has')
  return missing === 0 ? { status, body: received.subarray(end + headEnd.length) } : undefined
}
