import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { bodyOf, expectFields, expectRefusal, listOf, type TestGuild } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { everyoneMay, expressionsOf, madeSticker } from '../../support/expressions.ts'
import { guildsOf, nowhere, setFeatures } from '../../support/guilds.ts'
import { stillImage } from '../../support/pictures.ts'
import { foundWith, openScene } from '../../support/scene.ts'

const { guildhall, ada, brian, carol } = await openScene()
const stickers = expressionsOf(guildhall, 'stickers')
const { connect, end } = connections()
afterAll(end)

let home: TestGuild
beforeEach(async () => {
  home = await foundWith(guildhall, ada, brian)
})

const image = await stillImage()
const tower = { name: 'The tower', description: 'Of blocks', tags: ['blocks', 'tall'], image }
const entriesOf = async (action: number) => {
  const path = `/v1/guilds/${home.id}/audit-logs?action_type=${action}`
  const body = bodyOf(await guildhall.request('GET', path, { token: ada.token }))
  return body['audit_log_entries'] as readonly object[]
}

describe('creating a sticker', () => {
  it('answers with it, shows it to the guild, and tells all members of all stickers', async () => {
    const { client } = await connect(guildhall, brian)
    const made = bodyOf(await stickers.create(ada, home.id, tower))
    const { image: _, ...details } = tower
    expect(made).toStrictEqual({ id: made['id'], guild_id: home.id, ...details, animated: false, nsfw: false })
    expect((await client.dispatch('GUILD_STICKERS_UPDATE')).d).toStrictEqual({ guild_id: home.id, stickers: [made] })
    expect(bodyOf(await guildsOf(guildhall).get(brian, home.id))).toMatchObject({ emojis: [], stickers: [made] })
    expect(listOf(await stickers.list(brian, home.id))).toMatchObject([{ ...made, user: { id: ada.id } }])
    expect(await entriesOf(90)).toMatchObject([{ target_id: made['id'], user_id: ada.id }])
    expect((await guildhall.request('GET', `/media/stickers/${String(made['id'])}`)).status).toBe(200)
  })

  it('needs neither a description nor tags', async () => {
    const made = bodyOf(await stickers.create(ada, home.id, { name: 'Tower', image }))
    expect(made).toMatchObject({ description: '', tags: [] })
  })

  it('is refused with members that are out of bounds', async () => {
    const refusedBy = async (more: object) => stickers.create(ada, home.id, { ...tower, ...more })
    expectFields(await refusedBy({ name: 'a' }), field('name', 'STRING_LENGTH_INVALID'))
    expectFields(await refusedBy({ name: 'x'.repeat(31) }), field('name', 'STRING_LENGTH_INVALID'))
    expectFields(await refusedBy({ description: 'x'.repeat(501) }), field('description', 'STRING_LENGTH_INVALID'))
    expectFields(await refusedBy({ tags: ['x'.repeat(31)] }), field('tags.0', 'STRING_LENGTH_INVALID'))
    expectRefusal(await refusedBy({ tags: Array.from({ length: 11 }, () => 'x') }), 400, 'INVALID_FORM_BODY')
  })

  it('needs CREATE_EXPRESSIONS, in the guild', async () => {
    await everyoneMay(guildhall, ada, home)
    expectRefusal(await stickers.create(brian, home.id, tower), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await stickers.create(carol, home.id, tower), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await stickers.create(ada, nowhere, tower), 404, 'UNKNOWN_GUILD')
  })
})

describe('creating several stickers', () => {
  it('makes those that can be made', async () => {
    const broken = { name: 'Broken', image: Buffer.from('no image').toString('base64') }
    expect(bodyOf(await stickers.several(ada, home.id, [tower, broken]))).toMatchObject({
      success: [{ name: 'The tower' }],
      failed: [{ name: 'Broken' }],
    })
  })
})

describe('cloning a sticker', () => {
  it('copies all of it from a guild that allows it', async () => {
    const source = await foundWith(guildhall, carol, brian)
    const { image: _, ...details } = tower
    const id = await madeSticker(guildhall, carol, source.id, tower)
    const clone = () => stickers.clone(ada, home.id, { source_sticker_id: id })
    expectRefusal(await clone(), 403, 'MISSING_ACCESS')
    await setFeatures(guildhall, source.id, 'CLONE_STICKER_ENABLED')
    expect(bodyOf(await stickers.metadata(ada, id))).toMatchObject({ guild_id: source.id, allow_cloning: true })
    expect(bodyOf(await clone())).toMatchObject(details)
    expectRefusal(await stickers.clone(ada, home.id, { source_sticker_id: nowhere }), 404, 'UNKNOWN_STICKER')
    expectRefusal(await stickers.metadata(ada, nowhere), 404, 'UNKNOWN_STICKER')
  })
})

describe('changing a sticker', () => {
  it('writes its details, those that are not sent as empty', async () => {
    const id = await madeSticker(guildhall, ada, home.id, tower)
    const changed = bodyOf(await stickers.change(ada, home.id, id, { name: 'Tower' }))
    expect(changed).toMatchObject({ id, name: 'Tower', description: '', tags: [] })
    expect(await entriesOf(91)).toMatchObject([
      {
        target_id: id,
        changes: [
          { key: 'description', old_value: 'Of blocks', new_value: '' },
          { key: 'name', old_value: 'The tower', new_value: 'Tower' },
        ],
      },
    ])
  })

  it('is for its maker, and for those who manage expressions', async () => {
    const id = await madeSticker(guildhall, ada, home.id)
    expectRefusal(await stickers.change(brian, home.id, id, { name: 'Tower' }), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await stickers.change(brian, nowhere, nowhere, { name: 'Tower' }), 404, 'UNKNOWN_STICKER')
    await everyoneMay(guildhall, ada, home, 'MANAGE_EXPRESSIONS')
    expect((await stickers.change(brian, home.id, id, { name: 'Tower' })).status).toBe(200)
  })
})

describe('deleting a sticker', () => {
  it('leaves its image unless it is purged', async () => {
    const [kept, purged] = [await madeSticker(guildhall, ada, home.id), await madeSticker(guildhall, ada, home.id)]
    const imageOf = async (id: string) => (await guildhall.request('GET', `/media/stickers/${id}`)).status
    await setFeatures(guildhall, home.id, 'EXPRESSION_PURGE_ALLOWED')
    expect((await stickers.remove(ada, home.id, kept)).status).toBe(204)
    expect((await stickers.remove(ada, home.id, purged, '?purge=true')).status).toBe(204)
    await expect.poll(() => imageOf(purged)).toBe(404)
    expect(await imageOf(kept)).toBe(200)
    expect(await entriesOf(92)).toHaveLength(2)
    expectRefusal(await stickers.remove(ada, home.id, kept), 404, 'UNKNOWN_STICKER')
  })
})
