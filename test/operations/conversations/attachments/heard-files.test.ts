import { afterAll, expect, it } from 'vitest'
import type { TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { file, payload, sendForm } from '../../support/forms.ts'
import { letEveryone, messagesPath, send } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'
import { namedUpload, uploading } from '../../support/uploads.ts'

const { connect, end } = connections()
const { guildhall, ada, brian, home } = await openScene()
afterAll(end)

const { uploaded } = uploading(guildhall, home.channel)

interface Shown {
  readonly id: string
  readonly filename: string
  readonly url: string
}
const shownBy = (answer: TestAnswer): readonly Shown[] => bodyOf(answer)['attachments'] as readonly Shown[]
const contentAt = async (url = ''): Promise<string> => (await fetch(url)).text()

it('sessions hear of the files of a message and of its edits, at addresses that work, and only who sees the channel', async () => {
  const { client } = await connect(guildhall, brian)
  const planned = await uploaded(ada, 'before.txt', Buffer.from('uploaded'))
  const answer = await sendForm(guildhall, ada, home.channel, [
    payload({ content: 'Look', attachments: [namedUpload(planned, { id: 3 })] }),
    file('files[0]', 'form.txt', 'in the form'),
  ])
  const created = (await client.dispatch('MESSAGE_CREATE')).d
  expect(created['attachments']).toStrictEqual(shownBy(answer))
  const [ofForm, before] = created['attachments'] as readonly Shown[]
  expect([await contentAt(ofForm?.url), await contentAt(before?.url)]).toStrictEqual(['in the form', 'uploaded'])
  const path = messagesPath(home.channel, String(bodyOf(answer)['id']))
  await guildhall.request('PATCH', path, { token: ada.token, body: { attachments: [{ id: before?.id }] } })
  expect((await client.dispatch('MESSAGE_UPDATE')).d['attachments']).toStrictEqual([before])
  await letEveryone(guildhall, ada, home, home.channel, { deny: ['VIEW_CHANNEL'] })
  const later = await uploaded(ada, 'later.txt', Buffer.from('later'))
  expect((await send(guildhall, ada, home.channel, { attachments: [namedUpload(later)] })).status).toBe(200)
  await letEveryone(guildhall, ada, home, home.channel, {})
  expect((await send(guildhall, ada, home.channel, 'seen again')).status).toBe(200)
  const next = (await client.dispatch('MESSAGE_CREATE')).d
  expect(next['content']).toBe('seen again')
})
