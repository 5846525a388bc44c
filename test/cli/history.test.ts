import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { printHistory } from '../../cli/commands/history.ts'
import { streamName } from '../../domain/streams.ts'
import { accept, found, invite, type TestGuild } from '../operations/support/answers.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'

let guildhall: TestGuildhall
let ada: TestAccount
let home: TestGuild

beforeAll(async () => {
  guildhall = await startTestGuildhall()
  ada = await guildhall.register()
  home = await found(guildhall, ada)
})
afterAll(() => guildhall.close())

async function printed(account: TestAccount): Promise<readonly string[]> {
  const lines: string[] = []
  const stream = streamName('membership', `${home.id}-${account.id}`)
  await printHistory(guildhall.store.events, stream, (line) => lines.push(line))
  return lines
}
const headingsIn = (lines: readonly string[]) =>
  lines.filter((line) => /^ {2,4}[\d<]/.test(line)).map((line) => line.replace(/ {2}\S+Z {2}/, ' ').trim())
const idsIn = (lines: readonly string[], pattern: RegExp) => lines.flatMap((line) => pattern.exec(line)?.[1] ?? [])

it('shows how a member joined: the invite, its redemption, and the join that followed from it', async () => {
  const brian = await guildhall.register()
  const code = await invite(guildhall, ada, home.channel)
  await accept(guildhall, brian, code)
  const lines = await printed(brian)
  expect(headingsIn(lines)).toStrictEqual([
    `< InviteCreated, in invite-${code}`,
    `< InviteRedeemed, in invite-${code}`,
    '0 MemberJoined',
  ])
  const [, redeemed] = idsIn(lines, /event (\S+)$/)
  expect(idsIn(lines, /caused by ([^,]+)/).at(-1)).toBe(redeemed)
  expect(lines.at(-1)).toBe('1 event.')
})

it('shows the founding of a guild before the joining of its founder', async () => {
  expect(headingsIn(await printed(ada))).toStrictEqual([`< GuildCreated, in guild-${home.id}`, '0 MemberJoined'])
})

it('leaves out personal data', async () => {
  const body = { nick: 'Countess' }
  await guildhall.request('PATCH', `/v1/guilds/${home.id}/members/@me`, { token: ada.token, body })
  const lines = await printed(ada)
  expect(headingsIn(lines).at(-1)).toBe('1 MemberChanged')
  expect(lines.join('\n')).not.toContain('Countess')
  expect(lines.join('\n')).toContain('(personal)')
})

it('leaves out reasons that are personal, as those for what is done to a member, and shows all others', async () => {
  const brian = await guildhall.register()
  await accept(guildhall, brian, await invite(guildhall, ada, home.channel))
  const headers = { 'X-Audit-Log-Reason': 'planted' }
  await guildhall.request('PUT', `/v1/guilds/${home.id}/bans/${brian.id}`, { token: ada.token, headers, body: {} })
  const lines = await printed(brian)
  expect(headingsIn(lines).at(-1)).toContain('Banned')
  expect(lines.join('\n')).not.toContain('planted')
  expect(lines.join('\n')).toContain('reason: (personal)')
  await guildhall.request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, headers, body: { name: 'Renamed' } })
  const ofGuild: string[] = []
  await printHistory(guildhall.store.events, streamName('guild', home.id), (line) => ofGuild.push(line))
  expect(ofGuild.join('\n')).toContain('reason: planted')
})

it('is the only place of the command line that shows the data or the reason of an event', () => {
  const folder = path.resolve(import.meta.dirname, '../../cli')
  const showing = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) =>
      /metadata\??\.reason|stringify\((?:event|recorded)/.test(readFileSync(path.join(folder, file), 'utf8')),
    )
  expect(showing).toEqual(['shown-event.ts'])
})
