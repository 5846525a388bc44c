import { beforeEach, expect, it } from 'vitest'
import { removeLeftoverImages } from '../../../../application/images/remove-leftovers.ts'
import { secondsAfter, timestamp } from '../../../../domain/kernel/timestamp.ts'
import { bodyOf, listOf } from '../../support/answers.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { movingImage, stillImage } from '../../support/pictures.ts'
import { openServer } from '../../support/scene.ts'
import type { Hook } from '../../support/webhooks.ts'

const guildhall = await openServer()
const ada = await guildhall.register()

/** Ada's guild with a webhook that has an image; every test has its own. */
let home: Place
let hook: Hook & { readonly avatar: string }
beforeEach(async () => {
  home = await placeOf(guildhall, ada)
  const made = await send('POST', `/channels/${home.channel}/webhooks`, { name: 'Build', avatar: await stillImage() })
  const { id, token, avatar } = bodyOf(made)
  hook = { id: String(id), token: String(token), avatar: String(avatar) }
})

const send = (method: string, path: string, body?: unknown) =>
  guildhall.request(method, `/v1${path}`, { token: ada.token, ...(body === undefined ? {} : { body }) })
const change = async (avatar: string | null) =>
  String(bodyOf(await send('PATCH', `/webhooks/${hook.id}`, { avatar }))['avatar'])
const says = async (content: string) =>
  String(
    bodyOf(await guildhall.request('POST', `/v1/webhooks/${hook.id}/${hook.token}?wait=1`, { body: { content } }))[
      'id'
    ],
  )
const shownIn = async () =>
  listOf(await send('GET', `/channels/${home.channel}/messages`)).flatMap(({ author, webhook_id }) =>
    webhook_id === hook.id ? (author as { readonly avatar: string | null }).avatar : [],
  )
const isThere = async (hash: string) =>
  (await fetch(`${guildhall.url}/media/avatars/${hook.id}/${hash}`)).status === 200
const sweep = () => removeLeftoverImages(guildhall.ports)(secondsAfter(timestamp(Date.now()), 27 * 3600))

it('an image that a webhook had stays while a message shows it, and goes when none does', async () => {
  const message = await says('hello')
  const never = await change(await stillImage('teal'))
  const last = await change(await stillImage('navy'))
  await sweep()
  expect(await shownIn()).toStrictEqual([hook.avatar])
  expect(await Promise.all([hook.avatar, never, last].map(isThere))).toStrictEqual([true, false, true])
  await send('DELETE', `/channels/${home.channel}/messages/${message}`)
  await sweep()
  expect(await Promise.all([hook.avatar, last].map(isThere))).toStrictEqual([false, true])
})

it('the image of a deleted webhook stays while a message shows it, moving and at rest', async () => {
  const moving = await change(await movingImage())
  await says('hello')
  await send('DELETE', `/webhooks/${hook.id}`)
  await sweep()
  expect(await shownIn()).toStrictEqual([moving])
  expect(await Promise.all([moving, moving.slice(2), hook.avatar].map(isThere))).toStrictEqual([true, true, false])
})

it.each([
  ['channel', () => send('DELETE', `/channels/${home.channel}`)],
  ['guild', () => send('POST', `/guilds/${home.id}/delete`, { password: ada.password })],
])('the images of webhooks go with their %s, the messages of which go', async (_name, remove) => {
  await says('hello')
  const last = await change(await stillImage('navy'))
  await says('again')
  expect((await remove()).status).toBe(204)
  await expect
    .poll(async () => {
      await sweep()
      return Promise.all([hook.avatar, last].map(isThere))
    })
    .toStrictEqual([false, false])
})
