import { beforeEach, describe, expect, it } from 'vitest'
import { bodyOf, expectRefusal, listOf, type TestGuild } from '../../support/answers.ts'
import { expressionsOf, madeEmoji, madeSticker } from '../../support/expressions.ts'
import { setFeatures } from '../../support/guilds.ts'
import { stillImage } from '../../support/pictures.ts'
import { foundWith, openScene } from '../../support/scene.ts'

const slots = { max_guild_emojis: 2, max_guild_stickers: 1, emoji_max_size: 100 }
const { guildhall, ada, brian } = await openScene({ limits: slots })
const emojis = expressionsOf(guildhall, 'emojis')
const stickers = expressionsOf(guildhall, 'stickers')

let home: TestGuild
beforeEach(async () => {
  home = await foundWith(guildhall, ada, brian)
})

const image = await stillImage('red', 1, 1)
const wave = { name: 'wave', image }

describe('the slots of a guild', () => {
  it('bound its emojis, before the image is looked at', async () => {
    for (const name of ['one', 'two']) await madeEmoji(guildhall, ada, home.id, { name, image })
    const refused = await emojis.create(ada, home.id, { name: 'three', image: 'AAAA' })
    expectRefusal(refused, 400, 'MAX_EMOJIS')
    expect(refused.body).toMatchObject({ max_guild_emojis: 2 })
    const source = await foundWith(guildhall, ada, brian)
    await setFeatures(guildhall, source.id, 'CLONE_EMOJI_ENABLED')
    const id = await madeEmoji(guildhall, ada, source.id, { image })
    expectRefusal(await emojis.clone(ada, home.id, { source_emoji_id: id }), 400, 'MAX_EMOJIS')
  })

  it('bound its stickers', async () => {
    await madeSticker(guildhall, ada, home.id, { image })
    expectRefusal(await stickers.create(ada, home.id, { name: 'Tower', image }), 400, 'MAX_STICKERS')
  })

  it('are exact, however many come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => emojis.create(ada, home.id, wave)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(4)
    expect(listOf(await emojis.list(ada, home.id))).toHaveLength(2)
  })

  it('leave those of several out that find none', async () => {
    const answer = bodyOf(await emojis.several(ada, home.id, [wave, wave, { name: 'third', image }]))
    expect(answer['success']).toHaveLength(2)
    expect(answer['failed']).toStrictEqual([{ name: 'third', error: 'This guild cannot have more emojis.' }])
  })

  it('are as good as boundless with UNLIMITED_EMOJI and UNLIMITED_STICKERS', async () => {
    await setFeatures(guildhall, home.id, 'UNLIMITED_EMOJI', 'UNLIMITED_STICKERS')
    for (const name of ['one', 'two', 'three']) await madeEmoji(guildhall, ada, home.id, { name, image })
    for (const name of ['One', 'Two']) await madeSticker(guildhall, ada, home.id, { name, image })
  })

  it('have room for images of a size', async () => {
    const refused = await emojis.create(ada, home.id, { name: 'large', image: await stillImage('red', 200, 200) })
    expect(refused.body).toMatchObject({ errors: [{ path: 'image', code: 'IMAGE_SIZE_EXCEEDS_LIMIT' }] })
  })
})
