import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { bodyOf, expectFields, expectRefusal, type TestGuild } from '../../support/answers.ts'
import { everyoneMay, expressionsOf, madeEmoji } from '../../support/expressions.ts'
import { messagesPath, send, sent } from '../../support/messages.ts'
import { reactionsOn } from '../../support/reactions.ts'
import { foundWith, openScene } from '../../support/scene.ts'

/** Brian has no premium; everybody on the other server has what comes with it. */
const plain = await openScene()
const perked = await openScene({ limits: { feature_global_expressions: 1 } })

type Scene = typeof plain

/** A guild of Ada and Brian with an emoji, and another one. */
async function two({ guildhall, ada, brian }: Scene): Promise<{ home: TestGuild; emoji: string; away: TestGuild }> {
  const [home, away] = [await foundWith(guildhall, ada, brian), await foundWith(guildhall, ada, brian)]
  return { home, away, emoji: await madeEmoji(guildhall, ada, home.id) }
}

describe('a reaction with a custom emoji', () => {
  it('of the own guild is free, and is shown with the name that it has', async () => {
    const { guildhall, ada, brian } = plain
    const { home, emoji } = await two(plain)
    const message = await sent(guildhall, ada, home.channel, 'hello')
    const reactions = reactionsOn(guildhall, home.channel)
    expect((await reactions.add(brian, message, `other:${emoji}`)).status).toBe(204)
    const shown = [{ emoji: { id: emoji, name: 'wave' }, count: 1 }]
    expect(await reactions.of(ada, message)).toMatchObject(shown)
    expect((await expressionsOf(guildhall, 'emojis').remove(ada, home.id, emoji)).status).toBe(204)
    expect(await reactions.of(ada, message)).toMatchObject(shown)
    expect((await reactions.add(ada, message, `wave:${emoji}`)).status).toBe(204)
    const another = await sent(guildhall, ada, home.channel, 'again')
    expectFields(await reactions.add(brian, another, `wave:${emoji}`), field('emoji', 'CUSTOM_EMOJI_NOT_FOUND'))
  })

  it('of another guild needs the perk, then USE_EXTERNAL_EMOJIS', async () => {
    const { away, emoji } = await two(plain)
    const message = await sent(plain.guildhall, plain.ada, away.channel, 'hello')
    expectFields(
      await reactionsOn(plain.guildhall, away.channel).add(plain.brian, message, `wave:${emoji}`),
      field('emoji', 'CUSTOM_EMOJIS_REQUIRE_PREMIUM_OUTSIDE_SOURCE'),
    )
    const { guildhall, ada, brian } = perked
    const other = await two(perked)
    const there = await sent(guildhall, ada, other.away.channel, 'hello')
    const react = () => reactionsOn(guildhall, other.away.channel).add(brian, there, `wave:${other.emoji}`)
    await everyoneMay(guildhall, ada, other.away)
    expectRefusal(await react(), 403, 'MISSING_PERMISSIONS')
    await everyoneMay(guildhall, ada, other.away, 'USE_EXTERNAL_EMOJIS')
    expect((await react()).status).toBe(204)
  })
})

describe('a text with custom emojis', () => {
  it('keeps those of its guild, and those that nobody has', async () => {
    const { guildhall, brian } = plain
    const { home, emoji } = await two(plain)
    const content = `<:wave:${emoji}> <:gone:11>`
    expect(bodyOf(await send(guildhall, brian, home.channel, content))).toMatchObject({ content })
  })

  it('has the names of those of other guilds without the perk, when written and when changed', async () => {
    const { guildhall, brian } = plain
    const { away, emoji } = await two(plain)
    const made = bodyOf(await send(guildhall, brian, away.channel, `hello <:wave:${emoji}>`))
    expect(made).toMatchObject({ content: 'hello :wave:' })
    const body = { content: `<a:hi:${emoji}> \`<:wave:${emoji}>\`` }
    const path = messagesPath(away.channel, String(made['id']))
    const changed = await guildhall.request('PATCH', path, { token: brian.token, body })
    expect(bodyOf(changed)).toMatchObject({ content: `:hi: \`<:wave:${emoji}>\`` })
  })

  it('has those of other guilds with the perk and USE_EXTERNAL_EMOJIS', async () => {
    const { guildhall, ada, brian } = perked
    const { away, emoji } = await two(perked)
    const content = `<:wave:${emoji}>`
    expect(bodyOf(await send(guildhall, brian, away.channel, content))).toMatchObject({ content })
    await everyoneMay(guildhall, ada, away)
    expect(bodyOf(await send(guildhall, brian, away.channel, content))).toMatchObject({ content: ':wave:' })
  })
})
