import { expect, it } from 'vitest'
import { bodyOf, expectRefusal, found } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer({ rateLimits: true })

it('a webhook has buckets of its own, which strangers are told of', async () => {
  const ada = await guildhall.register()
  const { channel } = await found(guildhall, ada)
  const made = await guildhall.request('POST', `/v1/channels/${channel}/webhooks`, {
    token: ada.token,
    body: { name: 'Build' },
  })
  const { id, token } = bodyOf(made)
  const path = `/v1/webhooks/${String(id)}/${String(token)}`
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
    expect(JSON.stringify(answer.body)).not.toContain(String(token))
  }
  expect((await guildhall.request('GET', path)).status).toBe(200)
})
