import path from 'node:path'
import { runInThisContext } from 'node:vm'
import { expect } from 'vitest'
import { read } from '../../docs/pages.ts'
import { bodyOf } from '../../operations/support/answers.ts'
import { patience_ms } from '../../support/pace.ts'
import { sharedGuildhall } from '../../support/shared-guildhall.ts'
import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'

/** What a bot's author does with a library, in a few words, and how. */
type Action = readonly [name: string, act: () => unknown]

/** A library, and what is done with it. */
interface Story {
  /** What the code on the page imports. */
  readonly modules: Readonly<Record<string, object>>
  /** The events that actions wait for. */
  readonly events: readonly string[]
  readonly actions: readonly Action[]
  /** What stands for parts of the code on the page that a test cannot have, and the values that this needs. */
  readonly replaced?: Readonly<Record<string, string>>
  readonly beside?: (place: { readonly url: string }) => object
}

/** `support/stage.mjs`. */
interface Stage {
  readonly cast: { client?: unknown }
  clear(parts: object): void
  listen(client: unknown, events: readonly string[]): void
}

/** The server of the page of clients, and the lines with which its code connects: connecting is the first action. */
const example = 'https://chat.example.com'
const connecting = /^await .*(?:login|connect)\(.*\n/gm

/** An event that does not come is given up after this share of the patience of a whole story. */
const action_ms = patience_ms / 6

/** Plays the story of a library, and expects that it goes as its section on the page of clients says. */
export async function expectAsOnPage(library: string, file: string): Promise<void> {
  // oxlint-disable-next-line import/no-dynamic-require -- Stories are JavaScript, and the compiler reads none.
  const { story } = (await import(path.join(import.meta.dirname, '../stories', file))) as { readonly story: Story }
  // oxlint-disable-next-line import/no-dynamic-require
  const { cast, clear, listen } = (await import(path.join(import.meta.dirname, 'stage.mjs'))) as Stage
  const { parts, close } = await scene()
  clear(parts)
  cast.client = await clientOf(library, story, parts)
  listen(cast.client, story.events)
  const faults = await play(story.actions)
  close()
  const { failing, counted } = sectionOf(library)
  const unexpected = [...faults].filter(([name]) => !failing.includes(name))
  expect(unexpected.map(([name, fault]) => `${name}: ${fault}`)).toStrictEqual([])
  expect([...faults.keys()].toSorted()).toStrictEqual(failing.toSorted())
  const { length } = story.actions
  expect(counted).toBe(`${length - failing.length} of ${length} actions pass`)
  expect(new Set(story.actions.map(([name]) => name)).size).toBe(length)
}

async function play(actions: readonly Action[]): Promise<ReadonlyMap<string, string>> {
  const faults = new Map<string, string>()
  for (const [name, act] of actions) {
    try {
      await inTime(act)
    } catch (error) {
      faults.set(name, error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  }
  return faults
}

/** The client that the code of a library's section makes, not connected yet. */
async function clientOf(
  library: string,
  { modules, replaced = {}, beside }: Story,
  { url, token }: { readonly url: string; readonly token: string },
): Promise<unknown> {
  const [, code = ''] = /```js\n([^]*?)```/.exec(textOf(library)) ?? []
  const imports = [...code.matchAll(/^import \{ (.+) \} from '(.+)'$/gm)]
  const imported = imports.flatMap(([, names = '', from = '']) =>
    names.split(', ').map((name) => [name, from] as const),
  )
  const values = Object.fromEntries(
    imported.map(([name, from]) => [name, (modules[from] as Readonly<Record<string, unknown>>)[name]]),
  )
  const given = { ...values, ...beside?.({ url }), token }
  const statements = code
    .replaceAll(/^import .+\n/gm, '')
    .replaceAll(connecting, '')
    .replaceAll(example, url)
  const pointed = Object.entries(replaced).reduce((text, [from, to]) => {
    expect(text).toContain(from)
    return text.replace(from, to)
  }, statements)
  const make: unknown = runInThisContext(
    `(async ({ ${Object.keys(given).join(', ')} }) => {\n${pointed}\nreturn client })`,
  )
  return (make as (given: object) => Promise<unknown>)(given)
}

/** A guild of Ada's with her bot in it, and what actions need beside it, on the server that all stories share. */
async function scene() {
  const guildhall = await sharedGuildhall('clients')
  const [ada, bob, cyd] = await Promise.all([guildhall.register(), guildhall.register(), guildhall.register()])
  const as = async ({ token }: Pick<TestAccount, 'token'>, method: string, path: string, body?: unknown) => {
    const answer = await guildhall.request(method, path, { token, ...(body === undefined ? {} : { body }) })
    expect([path, answer.status < 300, answer]).toMatchObject([path, true, {}])
    return answer.body
  }
  const guildId = idOf(await as(ada, 'POST', '/v1/guilds', { name: 'Analytical Engine' }))
  const application = bodyOf(
    await guildhall.request('POST', '/v1/oauth2/applications', { token: ada.token, body: { name: 'Parrot' } }),
  )
  const consent = { client_id: application['id'], scope: 'bot', guild_id: guildId, permissions: '8' }
  await as(ada, 'POST', '/v1/oauth2/authorize/consent', consent)
  const { token } = application['bot'] as { readonly token: string }
  const bobs = presenceOf(guildhall, bob)
  const people = {
    ada: await named(guildhall, ada),
    bob: await named(guildhall, bob),
    cyd: await named(guildhall, cyd),
  }
  const parts = { url: guildhall.url, ...people, guildId, token, as, sets: bobs.sets }
  return { parts, close: bobs.close }
}

function textOf(library: string): string {
  const sections = read('docs/clients.md').split(/^## /m)
  return sections.find((section) => section.startsWith(`${library}\n`)) ?? ''
}

/** What a section counts, and the actions that it says to fail. */
function sectionOf(library: string): { readonly counted: string | undefined; readonly failing: readonly string[] } {
  const text = textOf(library)
  const rows = [...text.matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, name = '']) => name)
  const [counted] = /\d+ of \d+ actions pass/.exec(text) ?? []
  return { counted, failing: rows.filter((name) => name !== 'Action' && !name.startsWith('---')) }
}

async function inTime(act: () => unknown): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('waited in vain')), action_ms)
  })
  await Promise.race([Promise.resolve().then(act), late]).finally(() => clearTimeout(timer))
}

function idOf(body: unknown): string {
  return (body as { readonly id: string }).id
}

async function named({ request }: TestGuildhall, account: TestAccount) {
  const { username } = bodyOf(await request('GET', '/v1/users/@me', { token: account.token }))
  return { ...account, username: String(username) }
}

/** A session of a person at the Gateway, which begins when its presence is set for the first time. */
function presenceOf({ url }: TestGuildhall, { token }: TestAccount) {
  let socket: WebSocket | undefined
  const sets = (status: string): void => {
    socket?.send(JSON.stringify({ op: 3, d: { status } }))
    if (socket) return
    const opened = new WebSocket(`${url.replace('http', 'ws')}/gateway?v=1`)
    const identify = { token, properties: { os: 'any', browser: 'any', device: 'any' }, presence: { status } }
    opened.addEventListener('open', () => opened.send(JSON.stringify({ op: 2, d: identify })))
    socket = opened
  }
  return { sets, close: () => socket?.close() }
}
