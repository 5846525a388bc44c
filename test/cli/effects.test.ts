import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readModels } from '../../projections/read-models.ts'
import { rebuildAll } from '../../projections/runner/rebuild.ts'
import { verify } from '../../projections/runner/verify.ts'
import { exported } from './support/history-files.ts'
import { people } from './support/happenings.ts'
import { instance, type Instance } from './support/instance.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Misused replay tools cause no mail and no dispatch. */

async function instanceOfTest(): Promise<Instance> {
  const opened = await instance(undefined, { withoutTables: true })
  onTestFinished(() => opened.close())
  return opened
}

/** A file that contains a history, until the end of the test. */
async function fileOf(history: string): Promise<string> {
  const folder = await temporaryFolder('effects')
  const file = path.join(folder, 'history.jsonl')
  await writeFile(file, history)
  return file
}

describe('no command line tool can cause mail or dispatches:', () => {
  it('replay and verify beside a projector publish nothing, and the projector goes on publishing new events', async () => {
    const the = await instanceOfTest()
    const projector = await the.projector()
    await people(the.store.events, 20)
    await projector.reached(await the.store.events.end())
    expect(projector.published).toHaveLength(100)
    const settings = {
      pool: the.store.database.pool,
      store: the.store.events,
      projections: readModels,
      signal: new AbortController().signal,
    }
    await rebuildAll(settings)
    await verify(settings)
    expect(projector.published).toHaveLength(100)
    await people(the.store.events, 2, 21)
    await projector.reached(await the.store.events.end())
    expect(projector.published).toHaveLength(110)
  })

  it('a projector that runs after an import publishes none of the imported events', async () => {
    const the = await instanceOfTest()
    const source = await instance(the.store.personalDataKey)
    await people(source.store.events, 5)
    const first = await exported({ stored: source.stored })
    await people(source.store.events, 5, 6)
    const later = await exported({ stored: source.stored }, 25n)
    await source.close()

    expect(await the.guildhall(['import', await fileOf(first)])).toMatchObject({ code: 0 })
    expect(await the.project()).toEqual([])
    // A projector that has projected the first part would publish the second part if it did not rebuild everything.
    expect(await the.guildhall(['import', await fileOf(later)])).toMatchObject({ code: 0 })
    expect(await the.project()).toEqual([])
    expect(await the.rows('select count(*)::int4 as count from accounts.accounts')).toEqual([{ count: 10 }])
    expect(await the.guildhall(['verify'])).toMatchObject({ code: 0 })
    // An import that adds nothing leaves the read models as they are.
    expect(await the.guildhall(['import', await fileOf(later)])).toMatchObject({ code: 0 })
    expect(await the.rows('select distinct position from read_models.checkpoints')).toEqual([{ position: '50' }])
    await people(the.store.events, 1, 11)
    expect(await the.project()).toHaveLength(5)
  })

  const commands = ['replay', 'verify', 'export', 'import', 'backup', 'restore']
  it.each(commands)('%s reaches no code that publishes, sends or serves', (command) => {
    const reached = importsOf(path.resolve(import.meta.dirname, `../../cli/commands/${command}.ts`))
    expect(reached.size).toBeGreaterThan(20)
    const forbidden =
      /projections\/runner\/(runner|leader)\.ts$|\/adapters\/(?:(?:bus|mail|jobs)\/|http\/(?!schemas\/))|\/gateway\/|\/application\/processes\/(?:finish|queue|read|reconcile)-/
    expect([...reached].filter((file) => forbidden.test(file))).toEqual([])
  })
  it('a replay of what is unfinished asks process managers what began and ended, and finishes nothing', () => {
    const folder = path.resolve(import.meta.dirname, '../../projections/unfinished')
    const texts = readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    expect(texts.join('\n')).toContain('processManagers')
    expect(texts.filter((text) => /\.finish\b|\bfinish\w*\(/.test(text))).toEqual([])
  })
})

/** All our files that a file imports, directly or through others. */
function importsOf(file: string, reached = new Set<string>()): ReadonlySet<string> {
  if (reached.has(file)) return reached
  reached.add(file)
  for (const [, relative = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)\.ts'/g)) {
    importsOf(path.resolve(path.dirname(file), `${relative}.ts`), reached)
  }
  return reached
}
