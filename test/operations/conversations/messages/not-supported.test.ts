import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { bodyOf, expectFields } from '../../support/answers.ts'
import { payload, sendForm, type FormPart } from '../../support/forms.ts'
import { messagesPath } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'

/** Decision 209: what messages cannot have here is refused and not dropped. */

const { guildhall, brian, home } = await openScene()
const create = (sender: { readonly token: string }, body: object) =>
  guildhall.request('POST', messagesPath(home.channel), { token: sender.token, body })

describe('a message', () => {
  it.each([
    ['components', [{ type: 1, components: [{ type: 2, style: 1, label: 'Yes', custom_id: 'yes' }] }]],
    ['poll', { question: { text: 'Tea?' }, answers: [{ poll_media: { text: 'Yes' } }] }],
    ['embed', { title: 'One' }],
    ['favorite_meme_id', '1'],
    ['activity', { type: 1 }],
    ['shared_client_theme', { colors: ['000000'] }],
  ])('is refused by name, when written and when changed, for %s that are not built', async (member, given) => {
    const id = String(bodyOf(await create(brian, { content: 'plain' }))['id'])
    const body = { content: 'with more', [member]: given }
    const token = { token: brian.token }
    for (const answer of [
      await create(brian, body),
      await guildhall.request('PATCH', messagesPath(home.channel, id), { ...token, body }),
    ]) {
      expectFields(answer, field(member, 'INVALID_MESSAGE_DATA'))
      expect(answer.body).toMatchObject({ errors: [{ reason: 'not_supported' }] })
    }
    const read = await guildhall.request('GET', messagesPath(home.channel, id), token)
    expect(bodyOf(read)).toMatchObject({ content: 'plain' })
  })

  it.each([
    ['payload_json', [payload({ content: 'x', poll: { question: { text: 'Tea?' } } })], 'poll'],
    ['favorite_meme_id', [payload({ content: 'x' }), ['favorite_meme_id', '1']], 'favorite_meme_id'],
  ] satisfies readonly (readonly [string, readonly FormPart[], string])[])(
    'is refused by name for what stands in the field %s of a form',
    async (_, parts, member) => {
      const id = String(bodyOf(await create(brian, { content: 'plain' }))['id'])
      const edit = { method: 'PATCH', path: messagesPath(home.channel, id) } as const
      for (const to of [{}, edit])
        expectFields(await sendForm(guildhall, brian, home.channel, parts, to), field(member, 'INVALID_MESSAGE_DATA'))
    },
  )

  it('says nothing of null, empty lists, and members that nobody sees', async () => {
    const none = { components: [], poll: null, embed: null, favorite_meme_id: null }
    const body = { content: 'plain', ...none, enforce_nonce: true, application_id: '1', thread_name: 'x' }
    const sent = await create(brian, body)
    expect(sent.status).toBe(200)
    const path = messagesPath(home.channel, String(bodyOf(sent)['id']))
    const edited = await guildhall.request('PATCH', path, { token: brian.token, body: { ...body, content: 'new' } })
    expect(bodyOf(edited)).toMatchObject({ content: 'new' })
  })
})
