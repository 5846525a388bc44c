import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { installClient, type InstalledClient } from '../client/support/installed-client.ts'
import { field } from '../../domain/kernel/refusal.ts'
import { expectFields } from '../operations/support/answers.ts'
import { sharedGuildhall } from '../support/shared-guildhall.ts'
import type { TestAnswer } from '../support/test-guildhall.ts'
import { read } from './pages.ts'

const page = read('docs/first-bot.md')
const blocksOf = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block)
/** The programs of the page as a reader saves them, and its commands, in its order. */
const [bot = '', me = ''] = blocksOf('js')
const [settingUp = '', hello = '', ping = ''] = blocksOf('sh')

const guildhall = await sharedGuildhall()
/** What the reader has exported. */
const exported: Record<string, string> = {}
const running: { kill(): void }[] = []
let client: InstalledClient
beforeAll(async () => {
  client = await installClient()
})
afterAll(async () => {
  for (const program of running) program.kill()
  await client.remove()
})

const filledIn = (text: string): string =>
  text.replaceAll(/'\$(\w+)'|\$(\w+)/g, (_, quoted?: string, plain?: string) => exported[quoted ?? plain ?? ''] ?? '')

/** Sends what a line with curl sends. Others register on this server too, so the address is another. */
async function asCurl(line: string): Promise<TestAnswer> {
  const [, method = '', path = ''] = /^curl -X (\w+) localhost:3000(\S+)/.exec(line) ?? []
  const [, token] = /-H "Authorization: ([^"]+)"/.exec(line) ?? []
  const body = filledIn(/-d '(.*)'$/.exec(line)?.[1] ?? '').replace('ada@', `${randomUUID()}@`)
  const authorised = token === undefined ? {} : { token: filledIn(token) }
  return guildhall.request(method, filledIn(path), { ...authorised, body })
}

/** Runs the commands of a block, exports what the page says of each answer, and gives the last answer. */
async function follow(block: string): Promise<TestAnswer | undefined> {
  let answer: TestAnswer | undefined
  for (const line of block.trim().split('\n')) {
    const [, name, member = ''] = /^export (\w+)=\S+ +# (\S+)$/.exec(line) ?? []
    if (name === undefined) answer = await asCurl(line)
    else
      exported[name] = String(member.split('.').reduce((of: unknown, key) => Object(of)[key] as unknown, answer?.body))
    expect({ line, status: answer?.status }).toStrictEqual({ line, status: expect.toSatisfy((code) => code < 300) })
  }
  return answer
}

/** Starts a program of the page; gives what it has printed so far. */
function start(program: string): () => string {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: client.folder,
    env: { ...process.env, ...exported, API_URL: guildhall.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(child)
  let printed = ''
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()))
  return () => printed
}

it('docs/first-bot.md plays as it stands: the bot speaks without a Gateway, and answers !ping with pong', async () => {
  await follow(settingUp)
  await follow(hello)
  const printedByBot = start(bot)
  await expect.poll(printedByBot).toBe('Parrot is ready\n')
  expectFields(await asCurl(ping.trim()), field('content', 'MUST_START_SESSION_BEFORE_SENDING'))
  const printedToMe = start(me)
  await expect.poll(printedToMe).toBe('You are Ada\n')
  await follow(ping)
  await expect.poll(printedToMe).toBe('You are Ada\nAda: !ping\nParrot: pong\n')
})

it('the programs ask for nothing that the types of the client do not have', async () => {
  expect(
    await client.check({ 'bot.mjs': bot, 'me.mjs': me }, { allowJs: true, checkJs: true, noImplicitAny: false }),
  ).toBe('')
  const wrong = { 'bot.mjs': bot.replace('d.channel_id', 'd.channel') }
  expect(await client.check(wrong, { allowJs: true, checkJs: true, noImplicitAny: false })).toContain("'channel'")
})

it('the bot has at most 25 lines, and the client of a person at most 15', () => {
  expect(bot.trim().split('\n').length).toBeLessThanOrEqual(25)
  expect(me.trim().split('\n').length).toBeLessThanOrEqual(15)
})
