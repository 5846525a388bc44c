import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = 'domain application projections adapters gateway process cli client console test bench'.split(' ')
const configuration = ['.dependency-cruiser.mjs', '.oxlintrc.json', '.oxlint-plugin.mjs', 'package.json']

/** A source file of the planted tree: its path, its content, and the rules that must name it. */
type Planted = { readonly file: string; readonly code: string; readonly rules: readonly string[] }

/** Reads `file | code | rules` lines. */
function table(text: string): readonly Planted[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(' | ').map((cell) => cell.trim()))
    .map(([file = '', code = '', rules = '']) => ({ file, code, rules: rules === '' ? [] : rules.split(' ') }))
}

/** What the planted files import. */
const innocent = `
domain/poll/poll.ts domain/testing/poll-commands.ts application/polls/cast-vote.ts application/identity/sign-in.ts application/apps/app.ts application/ports/polls.ts application/ports/lock-connections.ts application/ports/notifier.ts application/failures/unavailable.ts application/sql/sql.ts application/wire-objects/poll.ts application/processes/process-managers.ts application/processes/managers/polls.ts application/processes/finish-step.ts application/concurrency/pauses.ts application/observation/at-work.ts
projections/polls/queries.ts projections/polls/projector.ts projections/runner/runner.ts projections/runner/queries.ts
adapters/http/server.ts adapters/http/server/pipeline.ts adapters/http/pages/page.ts adapters/http/limits/costs.ts adapters/http/schemas/lists.ts adapters/postgres/pool.ts adapters/bus/bus.ts
gateway/session.ts gateway/visibility/room.ts gateway/dispatches/deliver.ts gateway/events/loop.ts gateway/messages/announcer.ts process/server.ts cli/guildhall.ts cli/event-schemas/types.ts test/support/given.ts bench/bench.ts client/api.ts console/app.tsx dist/console-api/api.js dist/client-api/api.js dist/leftover.js
`
  .trim()
  .split(/\s+/)
  .map((file) => ({ file, code: 'export const thing = 1; export type Thing = typeof thing', rules: [] }))

const allowed = table(`
domain/poll/allowed.ts   | import './poll.ts'
domain/testing/allowed.ts | import '../poll/poll.ts'; import fc from 'fast-check'
application/allowed.ts   | import '../domain/poll/poll.ts'; import 'node:crypto'
application/apps/allowed.ts | import '../identity/sign-in.ts'; import '../polls/cast-vote.ts'
projections/allowed.ts   | import '../domain/poll/poll.ts'; import '../application/ports/polls.ts'; import '../application/failures/unavailable.ts'; import '../application/sql/sql.ts'; import '../application/concurrency/pauses.ts'; import '../application/observation/at-work.ts'
projections/unfinished/allowed.ts | import '../../application/processes/process-managers.ts'; import '../../application/processes/managers/polls.ts'; import '../../application/ports/polls.ts'; import '../../application/sql/sql.ts'
application/concurrency/allowed.ts | import './pauses.ts'; import 'zod'; import type { Thing } from '../ports/lock-connections.ts'; import type { Thing as Other } from '../ports/notifier.ts'
application/observation/allowed.ts | import './at-work.ts'; import 'node:perf_hooks'
adapters/http/allowed.ts | import '../../projections/polls/queries.ts'; import '../postgres/pool.ts'
adapters/http/server/allowed.ts | import '../pages/page.ts'; import '../limits/costs.ts'; import '../server.ts'
adapters/http/pages/allowed.ts | import '../limits/costs.ts'; import '../schemas/lists.ts'
adapters/jobs/allowed.ts | import '../../application/polls/cast-vote.ts'; import 'zod'; import '../../domain/poll/poll.ts'
console/allowed.tsx | import { thing } from './app.tsx'; import type { Thing } from '../dist/console-api/api.js'; import '../client/api.ts'; export const a = <b>{thing}</b>
client/allowed.ts | import './api.ts'; import type { Thing } from '../dist/client-api/api.js'; import 'openapi-fetch'
gateway/events/allowed.ts | import '../dispatches/deliver.ts'; import '../visibility/room.ts'
gateway/allowed.ts       | import '../application/ports/polls.ts'; import type { Thing } from '../application/wire-objects/poll.ts'; import '../application/observation/at-work.ts'
process/allowed.ts       | import '../adapters/bus/bus.ts'; import '../projections/runner/runner.ts'
cli/allowed.ts           | import '../process/server.ts'; import '../adapters/bus/bus.ts'; import '../client/api.ts'
cli/reference/pages.ts   | import '../event-schemas/types.ts'
cli/event-schemas/allowed.ts | import 'typescript/unstable/sync'
test/allowed.ts          | import '../cli/guildhall.ts'; import '../domain/testing/poll-commands.ts'; import 'vitest'
bench/allowed.ts         | import '../cli/guildhall.ts'; import '../test/support/given.ts'
`)

const offences = table(`
domain/folder.ts             | import { thing } from '../application/polls/cast-vote.ts'       | domain-is-pure
domain/type.ts               | import type { Thing } from '../gateway/session.ts'              | domain-is-pure
domain/inline-type.ts        | import { type Thing } from '../adapters/http/server.ts'         | domain-is-pure
domain/type-handed-on.ts     | export type { Thing } from '../application/ports/polls.ts'      | domain-is-pure
domain/handed-on.ts          | export * from '../projections/polls/queries.ts'                 | domain-is-pure
domain/later.ts              | export const later = () => import('../gateway/session.ts')      | domain-is-pure
domain/node.ts               | import { randomUUID } from 'node:crypto'                        | domain-is-pure
domain/node-bare.ts          | import { randomUUID } from 'crypto'                             | domain-is-pure
domain/package.ts            | import { z } from 'zod'                                         | domain-is-pure
domain/package-type.ts       | import type { ZodType } from 'zod'                              | domain-is-pure
domain/testing/runner.ts     | import { expect } from 'vitest'                                 | domain-testing-imports
domain/testing/folder.ts     | import type { Thing } from '../../application/ports/polls.ts'   | domain-testing-imports
domain/poll/drawn.ts         | import { thing } from '../testing/poll-commands.ts'             | product-without-domain-testing
cli/drawn.ts                 | import { thing } from '../domain/testing/poll-commands.ts'      | product-without-domain-testing
application/projection.ts    | import { thing } from '../projections/polls/queries.ts'         | application-imports
application/adapter.ts       | import type { Thing } from '../adapters/postgres/pool.ts'       | application-imports
application/gateway.ts       | import { thing } from '../gateway/session.ts'                   | application-imports
application/identity/up.ts   | import type { Thing } from '../apps/app.ts'                     | application-identity-imports
application/concurrency/port.ts | import type { Thing } from '../ports/polls.ts'                   | concurrency-knows-nothing
application/concurrency/client.ts | import type { PoolClient } from 'pg'                             | concurrency-without-pg
application/concurrency/pool.ts | import { Pool } from 'pg'                                        | concurrency-without-pg
application/observation/port.ts | import type { Thing } from '../ports/polls.ts'                   | observation-knows-nothing
application/concurrency/domain.ts | import { thing } from '../../domain/poll/poll.ts'               | concurrency-knows-nothing
gateway/tool.ts              | import { thing } from '../application/concurrency/pauses.ts'    | gateway-imports
application/polls/up.ts      | import { thing } from '../identity/sign-in.ts'                  | application-shared-knows-no-subject
projections/use-case.ts      | import { thing } from '../application/polls/cast-vote.ts'       | projections-imports
projections/object.ts        | import type { Thing } from '../application/wire-objects/poll.ts'     | projections-imports
projections/polls/manager.ts | import { thing } from '../../application/processes/process-managers.ts' | projections-imports
projections/unfinished/step.ts | import { thing } from '../../application/processes/finish-step.ts' | projections-unfinished-imports
projections/unfinished/use-case.ts | import { thing } from '../../application/polls/cast-vote.ts' | projections-unfinished-imports
projections/adapter.ts       | import { thing } from '../adapters/postgres/pool.ts'            | projections-imports
adapters/jobs/projector.ts   | import { thing } from '../../projections/polls/projector.ts'    | adapters-imports
adapters/jobs/gateway.ts     | import type { Thing } from '../../gateway/session.ts'           | adapters-imports
adapters/jobs/sibling.ts     | import { thing } from '../bus/bus.ts'                           | adapters-know-only-postgres
adapters/postgres/sibling.ts | import type { Thing } from '../http/server.ts'                  | adapters-know-only-postgres
adapters/http/runner.ts      | import { thing } from '../../projections/runner/queries.ts'     | http-never-runs-projections
gateway/use-case.ts          | import { thing } from '../application/polls/cast-vote.ts'       | gateway-imports
gateway/projection.ts        | import type { Thing } from '../projections/polls/queries.ts'    | gateway-imports
gateway/adapter.ts           | import { thing } from '../adapters/postgres/pool.ts'            | gateway-imports
gateway/protocol/up.ts       | import type { Thing } from '../visibility/room.ts'              | gateway-protocol-imports
gateway/sessions/up.ts       | import type { Thing } from '../dispatches/deliver.ts'           | gateway-state-imports
gateway/visibility/up.ts     | import { thing } from '../events/loop.ts'                       | gateway-state-imports
gateway/dispatches/up.ts     | import { thing } from '../messages/announcer.ts'                | gateway-dispatches-imports
adapters/http/up.ts          | import type { Thing } from './limits/costs.ts'                  | http-declarations-imports
adapters/http/errors/up.ts   | import type { Thing } from '../server/pipeline.ts'              | http-declarations-imports
adapters/http/schemas/up.ts  | import { thing } from '../pages/page.ts'                        | http-declarations-imports
adapters/http/request/up.ts  | import { thing } from '../server/pipeline.ts'                   | http-checks-imports
adapters/http/brakes/up.ts   | import type { Thing } from '../pages/page.ts'                   | http-checks-imports
adapters/http/archives/up.ts | import type { Thing } from '../server/pipeline.ts'              | http-answers-imports
adapters/http/pages/up.ts    | import { thing } from '../server/pipeline.ts'                   | http-answers-imports
gateway/cycle-one.ts         | import { thing } from './cycle-two.ts'; export type Thing = 1   | no-circular
gateway/cycle-two.ts         | import type { Thing } from './cycle-one.ts'; export const a = 1 | no-circular
adapters/jobs/root.ts        | import { thing } from '../../process/server.ts'                 | adapters-imports process-is-the-root
adapters/jobs/command.ts     | import { thing } from '../../cli/guildhall.ts'                  | adapters-imports cli-is-commands
process/command.ts           | import type { Thing } from '../cli/guildhall.ts'                | cli-is-commands
cli/compiler.ts              | import { thing } from './event-schemas/types.ts'               | product-without-compiler
console/server.tsx           | import { thing } from '../application/polls/cast-vote.ts'         | console-knows-only-the-api
console/built.ts             | import { thing } from '../dist/leftover.js'                     | console-knows-only-the-api
client/server.ts             | import type { Thing } from '../gateway/session.ts'              | client-knows-only-the-api
client/node.ts               | import { randomUUID } from 'node:crypto'                        | client-knows-only-the-api
client/package.ts            | import { WebSocket } from 'ws'                                  | client-knows-only-the-api
client/built.ts              | import { thing } from '../dist/leftover.js'                     | client-knows-only-the-api
process/client.ts            | import { thing } from '../client/api.ts'                        | server-without-client
cli/page.ts                  | import { thing } from '../console/app.tsx'                      | server-without-console
cli/test.ts                  | import { thing } from '../test/support/given.ts'                | product-without-tests
cli/bench.ts                 | import type { Thing } from '../bench/bench.ts'                  | product-without-tests
cli/development.ts           | import { expect } from 'vitest'                                 | packages-are-declared
cli/transitive.ts            | import { satisfies } from 'semver'                              | packages-are-declared
cli/missing.ts               | import { thing } from './nowhere.ts'                            | not-to-unresolvable
test/compiled.ts             | import { thing } from '../dist/leftover.js'                     | no-unknown-folder
`)

/** What dependency-cruiser does not see in a file, and the linter therefore refuses. */
const leftToLint = table(`
domain/in-place.ts  | export type Thing = import('../gateway/session.ts').Thing | typescript(consistent-type-imports)
domain/computed.ts  | export const load = (name: string) => import(name)        | import(no-dynamic-require)
domain/reference.ts | /// <reference path="../gateway/session.ts" />            | typescript(triple-slash-reference)
domain/now.ts       | export const now = Date.now()                             | eslint(no-restricted-properties)
domain/slow.ts      | export const isSlow = /^(?:a|a)*$/                        | guildhall(linear-pattern)
domain/date.ts      | export const now = new Date()                             | guildhall(clockless-date)
domain/chance.ts    | export const chance = Math.random()                       | eslint(no-restricted-properties)
test/faults/late.ts | export const late = () => expect(took_ms).toBeLessThan(3000) | guildhall(paced-bound)
test/faults/wait.ts | export const wait = { timeout: 3000 }                       | guildhall(paced-bound)
domain/process.ts   | export const home = process.env                           | eslint(no-restricted-globals)
`)

const cruiseResult = z.object({
  modules: z.array(
    z.object({
      source: z.string(),
      dependencies: z.array(
        z.object({ resolved: z.string(), rules: z.array(z.object({ name: z.string() })).default([]) }),
      ),
    }),
  ),
  summary: z.object({ violations: z.array(z.unknown()) }),
})
type CruiseResult = z.infer<typeof cruiseResult>

function run(directory: string, tool: string, ...parameters: string[]) {
  const command = path.join(root, 'node_modules/.bin', tool)
  return spawnSync(command, parameters, { cwd: directory, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

function cruise(directory: string, of: readonly string[]): CruiseResult {
  const { stdout, stderr } = run(directory, 'depcruise', '--config', '--output-type', 'json', ...of)
  expect(stderr).toBe('')
  return cruiseResult.parse(JSON.parse(stdout))
}

/** Creates a tree with the configuration and the packages of the real one. */
function plant(planted: readonly Planted[]): string {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'guildhall-import-rules-')))
  for (const file of configuration) cpSync(path.join(root, file), path.join(directory, file))
  symlinkSync(path.join(root, 'node_modules'), path.join(directory, 'node_modules'))
  for (const { file, code } of planted) {
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true })
    writeFileSync(path.join(directory, file), `${code}\n`)
  }
  return directory
}

describe('the import rules', () => {
  let directory: string
  let result: CruiseResult
  const dependenciesOf = (file: string) =>
    result.modules.filter(({ source }) => source === file).flatMap(({ dependencies }) => dependencies)
  const rulesBrokenBy = (file: string) =>
    dependenciesOf(file)
      .flatMap(({ rules }) => rules.map(({ name }) => name))
      .toSorted()

  beforeAll(() => {
    directory = plant([...innocent, ...allowed, ...offences])
    result = cruise(directory, folders)
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  for (const { file, code, rules } of offences) {
    it(`refuse ${code} in ${file}`, () => {
      expect(rulesBrokenBy(file)).toEqual(rules)
    })
  }

  for (const { file, code } of allowed) {
    it(`allow ${code} in ${file}`, () => {
      expect(dependenciesOf(file)).not.toEqual([])
      expect(rulesBrokenBy(file)).toEqual([])
    })
  }

  it('fail the command that lint runs', () => {
    expect(run(directory, 'depcruise', '--config', '.dependency-cruiser.mjs', ...folders).status).not.toBe(0)
  })
})

describe('the linter', () => {
  let directory: string
  let report: readonly string[]

  beforeAll(() => {
    directory = plant([...innocent, ...leftToLint])
    report = run(directory, 'oxlint', '--format', 'unix').stdout.split('\n')
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  for (const { file, code, rules } of leftToLint) {
    it(`refuses ${code} in ${file}`, () => {
      const lines = report.filter((line) => line.startsWith(`${file}:`))
      for (const rule of rules) expect(lines).toContainEqual(expect.stringContaining(rule))
    })
  }
})

describe('the real tree', () => {
  // Lint reads it whole, beside the tests; here one folder shows that its imports are found.
  it('has its imports really read, and breaks no rule in them', () => {
    const { modules, summary } = cruise(root, ['application/health'])
    expect(summary.violations).toEqual([])

    const useCases = modules.filter(({ source }) => source.startsWith('application/health/'))
    const imported = useCases.flatMap(({ dependencies }) => dependencies.map(({ resolved }) => resolved))
    expect(imported).toContainEqual(expect.stringMatching(/^application\/ports\/.+\.ts$/))
  })

  it('is checked whole by lint', () => {
    const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
    const { scripts } = z.object({ scripts: z.object({ lint: z.string() }) }).parse(manifest)
    expect(scripts.lint).toContain(`depcruise --config .dependency-cruiser.mjs ${folders.join(' ')}`)
  })
})

/** The names of what a file exports that is there when the program runs: anything but types. */
function valuesIn(code: string): readonly string[] {
  const declared = code.matchAll(
    /^export (?:default |abstract |async )*(?:const|let|var|class|function\*?|enum) +(\w+)/gm,
  )
  const handedOn = code.matchAll(/^export (\*|\{[^}]*\})/gm)
  return [...declared, ...handedOn].map(([, name = '']) => name)
}

describe('the ports', () => {
  it.each([
    ['export const jobs_max = 5', ['jobs_max']],
    ['export class JobLost extends Error {}', ['JobLost']],
    ['export async function readJob() {}', ['readJob']],
    ["export { sql } from 'slonik'", ['{ sql }']],
    ["export * from './jobs.ts'", ['*']],
    ["export interface Jobs {}\nexport type { Job } from './job.ts'\nexport type Jobs2 = Jobs", []],
  ])('would be found out with %s', (code, values) => {
    expect(valuesIn(code)).toEqual(values)
  })

  it('are interfaces and types only', () => {
    const folder = path.join(root, 'application/ports')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    expect(files.length).toBeGreaterThan(50)
    expect(files.flatMap((file) => valuesIn(readFileSync(path.join(folder, file), 'utf8')))).toEqual([])
  })
})
