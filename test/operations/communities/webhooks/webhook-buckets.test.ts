import { expect, it } from 'vitest'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, found } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer({ rateLimits: true })

async function made({ token }: TestAccount, channel: string) {
  const body = { name: 'Build' }
  const webhook = bodyOf(await guildhall.request('POST', `/v1/channels/${channel}/webhooks`, { token, body }))
  return { path: `/v1/webhooks/${String(webhook['id'])}/${String(webhook['token'])}`, token: String(webhook['token']) }
}

it('a webhook has buckets of its own, which strangers are told of', async () => {
  const ada = await guildhall.register()
  const { channel } = await found(guildhall, ada)
  const { path, token } = await made(ada, channel)
  const execute = () => guildhall.request('POST', path, { body: { content: 'hello' } })
  const first = await execute()
  expect(first.headers.get('x-ratelimit-limit')).toBe('60')
  expect((await guildhall.request('GET', path)).headers.get('x-ratelimit-limit')).toBe('100')
  // More than the global bucket admits at once, and than the webhook's own.
  const answers = await Promise.all(Array.from({ length: 100 }, execute))
  const refused = answers.filter(({ status }) => status !== 204)
  expect(refused.length).toBeGreaterThan(0)
  for (const answer of refused) {
    expectRefusal(answer, 429, 'RATE_LIMITED')
    expect(answer.body).toMatchObject({ global: false })
    expect(JSON.stringify(answer.body)).not.toContain(token)
  }
  expect((await guildhall.request('GET', path)).status).toBe(200)
})

it('a published message is edited three times an hour', async () => {
  const ada = await guildhall.register()
  const { id: home } = await found(guildhall, ada)
  const as = (body: object) => ({ token: ada.token, body })
  const made = await guildhall.request('POST', `/v1/guilds/${home}/channels`, as({ type: 5, name: 'news' }))
  const path = `/v1/channels/${String(bodyOf(made)['id'])}/messages`
  const message = `${path}/${String(bodyOf(await guildhall.request('POST', path, as({ content: 'one' })))['id'])}`
  expect((await guildhall.request('POST', `${message}/crosspost`, { token: ada.token })).status).toBe(200)
  for (const content of ['two', 'three', 'four'])
    expect((await guildhall.request('PATCH', message, as({ content }))).status).toBe(200)
  const refused = await guildhall.request('PATCH', message, as({ content: 'five' }))
  expectRefusal(refused, 429, 'PUBLISHED_MESSAGE_EDIT_RATE_LIMITED')
  expect(refused.headers.get('x-ratelimit-scope')).toBe('shared')
})
