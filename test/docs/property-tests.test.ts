import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkout, read } from './pages.ts'

const run = promisify(execFile)
const page = read('docs/property-tests.md')
/** The programs of the page, as a reader saves them, in its order. */
const programs = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, program = '']) => program)
const [rule = '', brokenRule = '', sentence = '', ownAggregate = ''] = programs

describe('a package of the domain, installed in a folder of its own without a network', () => {
  let folder = ''

  /** Runs a program of the page there, and gives what it prints. */
  async function runs(file: string, program: string): Promise<string> {
    await writeFile(path.join(folder, file), program)
    return (await run(process.execPath, [file], { cwd: folder })).stdout
  }

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gh-property-tests-'))
    await run(process.execPath, ['tools/pack-domain.mjs', folder], { cwd: checkout })
    const [tarball = ''] = await readdir(folder)
    await run('npm', ['init', '--yes', '--init-type', 'module'], { cwd: folder })
    const packages = [path.join(folder, tarball), path.join(checkout, 'node_modules/fast-check')]
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...packages], { cwd: folder })
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('holds the rule of docs/property-tests.md against every history, in ten lines at most', async () => {
    expect(rule.trim().split('\n').length).toBeLessThanOrEqual(10)
    expect(await runs('rule.ts', rule)).toBe('It holds for 1,000 histories.\n')
  })

  it('finds the shortest history that breaks a rule, and prints its commands and what came of them', async () => {
    const failure = await runs('broken-rule.ts', brokenRule).then(
      () => 'it held',
      (error: unknown) => String(error),
    )
    const [, printed = ''] = /Counterexample: \[([^]*?)\n\]/.exec(failure) ?? []
    const outcomes = printed
      .trim()
      .split('\n')
      .map((line) => line.replace(/^.* → /, ''))
    expect(outcomes).toStrictEqual(['InviteCreated', 'InviteRedeemed', 'InviteDeleted'])
    expect(printed).toContain('{"type":"RedeemInvite","accountId":"100001","redemptionId":"redemption-1"')
  })

  it('says a sentence in given/when/then', async () => {
    expect(await runs('sentence.ts', sentence)).toBe('A used invite admits nobody else.\n')
    const untrue = sentence.replace("'UNKNOWN_INVITE'", "'CONFLICT'")
    await expect(runs('untrue-sentence.ts', untrue)).rejects.toThrow(/Expected .*CONFLICT.* but got .*UNKNOWN_INVITE/)
  })

  it('holds an aggregate of a stranger to the laws, and finds the one that it breaks', async () => {
    const laws = (await runs('own-aggregate.ts', ownAggregate)).trim().split('\n')
    expect(laws).toHaveLength(7)
    expect(laws).toContain('Every lamp comes to the same state from a snapshot on.')
    const restless = ownAggregate.replace('state.on === on ? accept() : ', '')
    await expect(runs('restless.ts', restless)).rejects.toThrow(/Counterexample/)
  })

  it('brings types by which the programs of the page compile, and no dependency', async () => {
    const compilerOptions = { strict: true, module: 'nodenext', target: 'es2023', noEmit: true, types: [] }
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    for (const [index, program] of programs.entries()) await writeFile(path.join(folder, `${index}.ts`), program)
    await run(path.join(checkout, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder })
    const wrong = 'import { historiesOf } from "@guildhall/domain/testing"\nhistoriesOf("inwite")\n'
    await writeFile(path.join(folder, 'wrong.ts'), wrong)
    const checked = run(path.join(checkout, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder })
    await expect(checked).rejects.toMatchObject({ stdout: expect.stringContaining('inwite') as unknown })
    expect(JSON.parse(read('domain/package.json'))).not.toHaveProperty('dependencies')
  })
})
