import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, listOf, type TestGuild } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { everyoneMay, expressionsOf, madeEmoji } from '../../support/expressions.ts'
import { guildsOf, nowhere, setFeatures } from '../../support/guilds.ts'
import { movingImage, stillImage } from '../../support/pictures.ts'
import { foundWith, openScene } from '../../support/scene.ts'

const { guildhall, ada, brian, carol } = await openScene()
const emojis = expressionsOf(guildhall, 'emojis')
const { connect, end } = connections()
afterAll(end)

/** Ada's guild with Brian in it; every test has its own. */
let home: TestGuild
beforeEach(async () => {
  home = await foundWith(guildhall, ada, brian)
})

const image = await stillImage()
const wave = { name: 'wave', image }
const entriesOf = async (action: number) => {
  const path = `/v1/guilds/${home.id}/audit-logs?action_type=${action}`
  const body = bodyOf(await guildhall.request('GET', path, { token: ada.token }))
  return body['audit_log_entries'] as readonly object[]
}
const imageOf = (id: string, query = '') => guildhall.request('GET', `/media/emojis/${id}.webp${query}`)
const bytesOf = async (id: string, query = '') => {
  const answer = await fetch(`${guildhall.url}/media/emojis/${id}${query}`)
  return Buffer.from(await answer.arrayBuffer())
}

describe('creating an emoji', () => {
  it('answers with it, shows it to the guild, and tells all members of all emojis', async () => {
    const { client } = await connect(guildhall, brian)
    const made = bodyOf(await emojis.create(ada, home.id, wave))
    expect(made).toStrictEqual({ id: made['id'], name: 'wave', animated: false, nsfw: false, roles: [] })
    expect((await client.dispatch('GUILD_EMOJIS_UPDATE')).d).toStrictEqual({ guild_id: home.id, emojis: [made] })
    expect(bodyOf(await guildsOf(guildhall).get(brian, home.id))).toMatchObject({ emojis: [made], stickers: [] })
    const [listed] = listOf(await emojis.list(brian, home.id))
    expect(listed).toMatchObject({ ...made, user: { id: ada.id } })
    const { ready } = await connect(guildhall, brian)
    expect(JSON.stringify(ready['guilds'])).toContain(JSON.stringify([made]))
  })

  it('leaves an entry in the audit log', async () => {
    const id = await madeEmoji(guildhall, ada, home.id)
    expect(await entriesOf(60)).toMatchObject([
      {
        target_id: id,
        user_id: ada.id,
        changes: [
          { key: 'animated', new_value: false },
          { key: 'creator_id', new_value: ada.id },
          { key: 'emoji_id', new_value: id },
          { key: 'name', new_value: 'wave' },
        ],
      },
    ])
  })

  it('serves its image by its id, a moving one also at rest', async () => {
    const id = await madeEmoji(guildhall, ada, home.id, { image: await movingImage() })
    expect(listOf(await emojis.list(ada, home.id))).toMatchObject([{ id, animated: true }])
    const [moving, still] = [await bytesOf(id), await bytesOf(id, '?animated=false')]
    expect((await sharp(moving).metadata()).pages).toBe(2)
    expect((await sharp(still).metadata()).pages ?? 1).toBe(1)
    for (const none of [nowhere, '9999999999999999999']) expect((await imageOf(none)).status).toBe(404)
  })

  it('needs CREATE_EXPRESSIONS', async () => {
    await everyoneMay(guildhall, ada, home, 'MANAGE_EXPRESSIONS')
    expectRefusal(await emojis.create(brian, home.id, wave), 403, 'MISSING_PERMISSIONS')
    await everyoneMay(guildhall, ada, home, 'CREATE_EXPRESSIONS')
    expect((await emojis.create(brian, home.id, wave)).status).toBe(200)
  })

  it('is refused outside of the guild, and where there is none', async () => {
    expectRefusal(await emojis.create(carol, home.id, wave), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await emojis.create(ada, nowhere, wave), 404, 'UNKNOWN_GUILD')
  })

  it.each(['a', 'has space', 'umläut', 'x'.repeat(33)])('is refused with the name %s', async (name) => {
    expectFields(await emojis.create(ada, home.id, { name, image }), field('name', 'INVALID_FORMAT'))
  })

  it('is refused with what is no image, no base64 or too long', async () => {
    const refusedBy = async (sent: string) => emojis.create(ada, home.id, { name: 'wave', image: sent })
    expectFields(await refusedBy(Buffer.from('no image').toString('base64')), field('image', 'INVALID_IMAGE_FORMAT'))
    expectFields(await refusedBy('no base64!'), field('image', 'INVALID_BASE64_FORMAT'))
    expectFields(await refusedBy('A'.repeat(699_056)), field('image', 'BASE64_LENGTH_INVALID'))
    const tooLarge = Buffer.alloc(524_289).toString('base64').slice(0, 699_052)
    expectFields(await refusedBy(tooLarge), field('image', 'IMAGE_SIZE_EXCEEDS_LIMIT'))
  })
})

describe('creating several emojis', () => {
  it('makes those that can be made, in order, and tells of them once', async () => {
    const { client } = await connect(guildhall, brian)
    const broken = { name: 'broken', image: Buffer.from('no image').toString('base64') }
    const answer = bodyOf(await emojis.several(ada, home.id, [wave, broken, { name: 'tower', image }]))
    expect(answer).toMatchObject({
      success: [{ name: 'wave' }, { name: 'tower' }],
      failed: [{ name: 'broken', error: 'The image is of a format that cannot be used.' }],
    })
    const told = await client.dispatch('GUILD_EMOJIS_UPDATE')
    expect(told.d).toStrictEqual({ guild_id: home.id, emojis: answer['success'] })
    expect(await entriesOf(60)).toHaveLength(2)
  })

  it('takes 1 to 50', async () => {
    expectRefusal(await emojis.several(ada, home.id, []), 400, 'INVALID_FORM_BODY')
    expectRefusal(
      await emojis.several(
        ada,
        home.id,
        Array.from({ length: 51 }, () => wave),
      ),
      400,
      'INVALID_FORM_BODY',
    )
  })
})

describe('cloning an emoji', () => {
  it('copies its name and its image from a guild that allows it', async () => {
    const source = await foundWith(guildhall, carol, brian)
    const id = await madeEmoji(guildhall, carol, source.id)
    const clone = () => emojis.clone(ada, home.id, { source_emoji_id: id })
    expectRefusal(await clone(), 403, 'MISSING_ACCESS')
    expect(bodyOf(await emojis.metadata(ada, id))).toMatchObject({ guild_id: source.id, allow_cloning: false })
    await setFeatures(guildhall, source.id, 'CLONE_EMOJI_ENABLED')
    expect(bodyOf(await emojis.metadata(ada, id))).toStrictEqual({
      id,
      guild_id: source.id,
      name: 'wave',
      animated: false,
      allow_cloning: true,
    })
    const copy = bodyOf(await clone())
    expect(copy).toMatchObject({ name: 'wave' })
    expect(copy['id']).not.toBe(id)
    expect(await bytesOf(String(copy['id']))).toStrictEqual(await bytesOf(id))
  })

  it('of nobody is unknown, also to those who may not create', async () => {
    expectRefusal(await emojis.clone(carol, home.id, { source_emoji_id: nowhere }), 404, 'UNKNOWN_EMOJI')
    expectRefusal(await emojis.metadata(ada, nowhere), 404, 'UNKNOWN_EMOJI')
  })
})

describe('renaming an emoji', () => {
  it('is for its maker, and for those who manage expressions', async () => {
    await everyoneMay(guildhall, ada, home, 'CREATE_EXPRESSIONS')
    const own = await madeEmoji(guildhall, brian, home.id)
    const adas = await madeEmoji(guildhall, ada, home.id)
    const rename = (account: TestAccount, id: string) => emojis.change(account, home.id, id, { name: 'hello' })
    expect(bodyOf(await rename(brian, own))).toMatchObject({ id: own, name: 'hello' })
    expectRefusal(await rename(brian, adas), 403, 'MISSING_PERMISSIONS')
    await everyoneMay(guildhall, ada, home, 'MANAGE_EXPRESSIONS')
    expect((await rename(brian, adas)).status).toBe(200)
  })

  it('to the same name is told and logged nevertheless', async () => {
    const id = await madeEmoji(guildhall, ada, home.id)
    const { client } = await connect(guildhall, brian)
    expect((await emojis.change(ada, home.id, id, { name: 'wave' })).status).toBe(200)
    await client.dispatch('GUILD_EMOJIS_UPDATE')
    expect(await entriesOf(61)).toMatchObject([{ target_id: id }])
  })

  it('finds the emoji before the guild and the permission', async () => {
    const id = await madeEmoji(guildhall, ada, home.id)
    expectRefusal(await emojis.change(ada, nowhere, id, { name: 'hello' }), 404, 'UNKNOWN_EMOJI')
    expectRefusal(await emojis.change(carol, home.id, nowhere, { name: 'hello' }), 404, 'UNKNOWN_EMOJI')
    expectRefusal(await emojis.change(carol, home.id, id, { name: 'hello' }), 403, 'MISSING_PERMISSIONS')
  })
})

describe('deleting an emoji', () => {
  it('tells of those that stay, logs it, and leaves its image', async () => {
    const id = await madeEmoji(guildhall, ada, home.id)
    const { client } = await connect(guildhall, brian)
    expect((await emojis.remove(ada, home.id, id)).status).toBe(204)
    expect((await client.dispatch('GUILD_EMOJIS_UPDATE')).d).toStrictEqual({ guild_id: home.id, emojis: [] })
    expect(await entriesOf(62)).toMatchObject([{ target_id: id }])
    expect((await imageOf(id)).status).toBe(200)
    expectRefusal(await emojis.remove(ada, home.id, id), 404, 'UNKNOWN_EMOJI')
    expectRefusal(await emojis.metadata(ada, id), 404, 'UNKNOWN_EMOJI')
  })

  it('takes its image along where the guild may purge', async () => {
    const id = await madeEmoji(guildhall, ada, home.id)
    expectRefusal(await emojis.remove(ada, home.id, id, '?purge=true'), 403, 'MISSING_ACCESS')
    await setFeatures(guildhall, home.id, 'EXPRESSION_PURGE_ALLOWED')
    expect((await emojis.remove(ada, home.id, id, '?purge=true')).status).toBe(204)
    await expect.poll(async () => (await imageOf(id)).status).toBe(404)
  })

  it('goes with its guild', async () => {
    const id = await madeEmoji(guildhall, ada, home.id)
    expect((await guildsOf(guildhall).remove(ada, home.id)).status).toBe(204)
    expectRefusal(await emojis.metadata(ada, id), 404, 'UNKNOWN_EMOJI')
    await expect.poll(async () => (await imageOf(id)).status).toBe(404)
    await expect
      .poll(async () => (await guildhall.ports.aggregates.guildExpressions.load(home.id)).state)
      .toStrictEqual({ status: 'dropped' })
  })
})
