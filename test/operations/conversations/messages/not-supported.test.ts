import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { bodyOf, expectFields } from '../../support/answers.ts'
import { messagesPath } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'

/** Decision 111: what messages cannot have here is refused and not dropped. */

const { guildhall, brian, home } = await openScene()
const create = (sender: { readonly token: string }, body: object) =>
  guildhall.request('POST', messagesPath(home.channel), { token: sender.token, body })

describe('a message', () => {
  it.each([
    ['sticker_ids', ['1']],
    ['sticker_ids', {}],
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
})
