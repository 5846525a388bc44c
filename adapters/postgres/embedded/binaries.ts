import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { canEnter, type ServerAccount } from './account.ts'
import { copyBinaries, temporaryFolders } from './binary-copy.ts'
import { EmbeddedPostgresError, reasonOf, systemCode } from './error.ts'
import { linksHydrated, packageBinaries, packageName, type PackageBinaries } from './package-binaries.ts'
import { bareEnvironment } from './process.ts'
import { postgresMajor_min } from '../server-version.ts'

const run = promisify(execFile)
const ANSWER_MS_MAX = 10_000
const SYSTEM_FOLDER = '/usr/lib/postgresql'

/** Executables that the server's account was able to run. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly major: number
}

/** Where to look for Postgres, in order of preference. */
export interface BinaryLocations {
  readonly embedded: PackageBinaries | undefined
  readonly folders: readonly string[]
}

/** An unusable folder, and why. */
interface Unusable {
  readonly reason: string
  readonly code?: string | undefined
}

export function standardLocations(): BinaryLocations {
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  return { embedded: packageBinaries(), folders: [...onPath, ...systemFolders()] }
}

/**
 * The first Postgres that the account can run: the npm package's (from a copy, if the account cannot reach the package), then
 * one on PATH, then the newest below /usr/lib/postgresql. Rejects with the three ways to fix it.
 */
export async function findBinaries(account: ServerAccount, locations = standardLocations()): Promise<Binaries> {
  const tried: string[] = []
  for (const [name, attempt] of attempts(locations, account)) {
    const found = await attempt()
    if (!('reason' in found)) return found
    tried.push(`${name}: ${found.reason}`)
  }
  throw new EmbeddedPostgresError(
    [
      'No Postgres can be started here. There are three ways out:',
      `1. the npm package ${packageName} (npm install without --omit=optional; glibc or macOS, x64 or arm64),`,
      `2. Postgres ${postgresMajor_min} or later with initdb and postgres on PATH or below ${SYSTEM_FOLDER},`,
      '3. DATABASE_URL, naming a Postgres that runs elsewhere.',
      ...tried.map((line) => `Tried ${line}`),
    ].join('\n'),
  )
}

function* attempts(
  { embedded, folders }: BinaryLocations,
  account: ServerAccount,
): Generator<[name: string, attempt: () => Promise<Binaries | Unusable>]> {
  yield [packageName, async () => (embedded ? fromPackage(embedded, account) : { reason: 'not installed' })]
  for (const folder of new Set(folders)) {
    if (existsSync(path.join(folder, 'postgres'))) yield [folder, () => probe(folder, account)]
  }
}

async function fromPackage(embedded: PackageBinaries, account: ServerAccount): Promise<Binaries | Unusable> {
  const unmoved = (await linksHydrated(embedded.native))
    ? await probe(path.join(embedded.native, 'bin'), account)
    : { reason: 'its links are missing and its folder cannot be written to', code: 'EACCES' }
  if (!('reason' in unmoved) || unmoved.code !== 'EACCES') return unmoved
  const reasons = [unmoved.reason]
  for (const temporary of temporaryFolders()) {
    if (!(await canEnter(account, temporary))) continue
    const copy = await copyBinaries(embedded, temporary)
    const found = 'reason' in copy ? copy : await probe(path.join(copy.native, 'bin'), account)
    if (!('reason' in found)) return found
    reasons.push(found.reason)
  }
  return { reason: reasons.join('; ') }
}

/** Asks `postgres` for its version, as the account that will run it: this checks access, libraries and version at once. */
async function probe(folder: string, { identity, name }: ServerAccount): Promise<Binaries | Unusable> {
  const postgres = path.join(folder, 'postgres')
  const initdb = path.join(folder, 'initdb')
  try {
    const options = { ...identity, cwd: '/', env: bareEnvironment(), timeout: ANSWER_MS_MAX }
    const [{ stdout }] = await Promise.all([run(postgres, ['--version'], options), run(initdb, ['--version'], options)])
    const major = Number(/ (\d+)/.exec(stdout)?.[1])
    if (!(major >= postgresMajor_min)) return { reason: `${stdout.trim()} is older than ${postgresMajor_min}` }
    return { initdb, postgres, major }
  } catch (error) {
    return { reason: `${name} cannot run it: ${reasonOf(error).trim()}`, code: systemCode(error) }
  }
}

function systemFolders(): string[] {
  try {
    const versions = readdirSync(SYSTEM_FOLDER).filter((name) => /^\d+$/.test(name))
    return versions.sort((a, b) => Number(b) - Number(a)).map((version) => path.join(SYSTEM_FOLDER, version, 'bin'))
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return []
  }
}
