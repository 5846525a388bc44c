import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { patience_ms } from './pace.ts'

/** A real nats-server with JetStream, on a port and a data folder of its own. */
export interface NatsServer {
  readonly url: string
  /** Sends it a signal without waiting for its effect: SIGSTOP makes it hang, and SIGCONT continues it. */
  signal(name: NodeJS.Signals): void
  /** Ends it at once, like a crash. Safe to call twice. */
  kill(): Promise<void>
  /** Starts it again on the same port, with the data in its folder. */
  restart(): Promise<void>
  /** Ends it and removes all its data. */
  wipe(): Promise<void>
  /** Ends it for good and leaves nothing behind. */
  stop(): Promise<void>
}

const binary = 'nats-server'

/** Why suites that need a nats-server are skipped on this machine; undefined if none is. */
export const natsIsMissing: string | undefined =
  spawnSync(binary, ['--version']).status === 0 ? undefined : 'left out: no nats-server on the PATH'

/** The name of a suite that needs a nats-server. If it is skipped, the name says why, and the run's output shows it. */
export function natsSuite(name: string): string {
  if (natsIsMissing === undefined) return name
  const named = `${name} (${natsIsMissing})`
  process.stderr.write(`${named}\n`)
  return named
}

const started = new Set<ChildProcess>()

// However the tests end, no server outlives them.
process.on('exit', () => {
  for (const server of started) server.kill('SIGKILL')
})
// vitest ends its workers with a signal. By default, that would skip the handlers of `exit`.
process.once('SIGTERM', () => process.exit(143))

export async function startNatsServer(): Promise<NatsServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'guildhall-nats-'))
  const port = await freePort()
  let running = await start(folder, port)
  const kill = async (): Promise<void> => {
    if (running.exitCode !== null || running.signalCode !== null) return
    const exited = once(running, 'exit')
    running.kill('SIGKILL')
    await exited
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    signal: (name) => void running.kill(name),
    kill,
    async restart() {
      await kill()
      running = await start(folder, port)
    },
    async wipe() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function start(folder: string, port: number): Promise<ChildProcess> {
  const server = spawn(binary, ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  started.add(server)
  server.once('exit', () => started.delete(server))
  const until = Date.now() + patience_ms
  while (!(await answers(port))) {
    if (server.exitCode !== null || Date.now() > until) {
      server.kill('SIGKILL')
      throw new Error(`nats-server did not start on port ${port}`)
    }
    await pause(10)
  }
  return server
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, '127.0.0.1')
    socket.once('data', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    socket.once('data', () => socket.destroy())
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port was given')
  return address.port
}
