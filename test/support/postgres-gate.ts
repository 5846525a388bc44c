import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { PostgresConnection } from '../../adapters/postgres/database.ts'

/** A proxy before the tests' Postgres, so that it can fail for one test alone. */
export interface PostgresGate {
  /** The same database, through the gate. */
  readonly connection: PostgresConnection
  /** Ends every connection, and refuses new ones until `open`. */
  shut(): Promise<void>
  open(): Promise<void>
  /** Passes nothing on, in either direction, until `goOn`. Connections stay, and new ones are accepted. */
  stall(): void
  /** Passes on new connections' bytes, and still nothing on those that were stalled. */
  passNew(): void
  goOn(): void
  close(): Promise<void>
}

/** It starts open. The connection uses a unix socket, as the embedded Postgres does. */
export async function startPostgresGate(target: PostgresConnection): Promise<PostgresGate> {
  const socketFile = (folder: string): string => path.join(folder, `.s.PGSQL.${target.port ?? 5432}`)
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-'))
  const sockets = new Set<Socket>()
  let isStalled = false

  function join(client: Socket): void {
    const server = connect(socketFile(target.host ?? ''))
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => to.write(chunk))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isStalled) from.pause()
    }
  }

  let listening: Server | undefined
  async function open(): Promise<void> {
    listening = createServer(join).listen(socketFile(folder))
    await once(listening, 'listening')
  }
  async function shut(): Promise<void> {
    for (const socket of sockets) socket.destroy()
    const last = listening
    listening = undefined
    if (last) await new Promise((resolve) => last.close(resolve))
  }
  function stall(now: boolean): void {
    isStalled = now
    for (const socket of sockets) {
      if (now) socket.pause()
      else socket.resume()
    }
  }

  await open()
  return {
    connection: { ...target, host: folder },
    shut,
    open,
    stall: () => stall(true),
    passNew: () => void (isStalled = false),
    goOn: () => stall(false),
    async close() {
      await shut()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
