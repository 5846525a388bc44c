import { bodyOf } from '../../operations/support/answers.ts'
import type { RequestOptions, TestAnswer } from '../../support/test-guildhall.ts'

type Send = (method: string, path: string, options?: RequestOptions) => Promise<TestAnswer>

/** The token of a webhook that was created, shown, executed with success and without, and changed. */
export async function plantWebhook(send: Send, token: string, unique: string): Promise<string> {
  const { system_channel_id: channel } = bodyOf(await send('POST', '/v1/guilds', { token, body: { name: 'Home' } }))
  const headers = { 'idempotency-key': `canary webhook ${unique}` }
  const path = `/v1/channels/${String(channel)}/webhooks`
  const made = bodyOf(await send('POST', path, { token, headers, body: { name: 'Build' } }))
  const [id, secret] = [String(made['id']), String(made['token'])]
  const own = `/v1/webhooks/${id}/${secret}`
  await send('GET', `/v1/webhooks/${id}`, { token })
  await send('POST', own, { body: { content: 'hello' }, headers })
  await send('POST', own, { body: { content: '' } })
  await send('POST', `${own}/slack`, { body: { text: '' } })
  await send('PATCH', own, { body: { name: '' } })
  await send('PATCH', own, { body: { name: 'Herald' } })
  await send('GET', `/v1/webhooks/${secret}`, { token })
  await send('GET', own.toLowerCase())
  return secret
}
