import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { expect, it } from 'vitest'
import { sharedGuildhall } from '../support/shared-guildhall.ts'
import { found, listOf } from '../operations/support/answers.ts'
import { asBot, newApplication } from '../operations/support/applications.ts'

/** The bot of docs/first-bot.md, as a reader saves it. */
const source = /```js\n(.*?)```/s.exec(readFileSync('docs/first-bot.md', 'utf8'))?.[1] ?? ''

it('the bot of docs/first-bot.md answers !ping with pong, let in as the page says', async () => {
  const guildhall = await sharedGuildhall()
  const ada = await guildhall.register()
  const guild = await found(guildhall, ada)
  const parrot = await newApplication(guildhall, ada, { name: 'Parrot' })
  const wish = { client_id: parrot.id, scope: 'bot', guild_id: guild.id }
  const consented = await guildhall.request('POST', '/v1/oauth2/authorize/consent', { token: ada.token, body: wish })
  expect(consented.status).toBe(200)

  const bot = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    env: { ...process.env, API_URL: guildhall.url, BOT_TOKEN: parrot.botToken },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  bot.stdout.on('data', (data: Buffer) => (printed += data.toString()))
  try {
    await expect.poll(() => printed).toContain(`${parrot.bot.username} is ready`)
    const messages = `/v1/channels/${guild.channel}/messages`
    await guildhall.request('POST', messages, { token: ada.token, body: { content: '!ping' } })
    const newest = async () => listOf(await guildhall.request('GET', `${messages}?limit=1`, { token: asBot(parrot) }))
    await expect.poll(newest).toMatchObject([{ content: 'pong', author: { id: parrot.id, bot: true } }])
  } finally {
    bot.kill()
  }
})

it('the bot has at most 40 lines', () => {
  expect(source.trim().split('\n').length).toBeLessThanOrEqual(40)
})
