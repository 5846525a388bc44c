import { expect, it } from 'vitest'
import { administrator } from '../../support/administrators.ts'
import { bodyOf } from '../support/answers.ts'
import { file, payload, sendForm } from '../support/forms.ts'
import { reportIn, reportsOn } from '../support/reports.ts'
import { foundWith, openServer } from '../support/scene.ts'

const guildhall = await openServer({})
const { reportMessage, get } = reportsOn(guildhall)
const [root, ada, brian] = await Promise.all([
  administrator(guildhall, '*'),
  guildhall.register(),
  guildhall.register(),
])

interface ReportedMessage {
  readonly id: string
  readonly attachments: readonly { readonly url: string | null; readonly filename: string }[]
  readonly embeds: readonly { readonly image: { readonly url: string } }[]
}

it('a report lists the files of its message, with addresses as long as they exist', async () => {
  const home = await foundWith(guildhall, ada, brian)
  const form = await sendForm(guildhall, brian, home.channel, [
    payload({ content: 'Cheap watches', embeds: [{ image: { url: 'attachment://watch.png' } }] }),
    file('files[0]', 'watch.png', 'no picture'),
    file('files[1]', 'prices.txt', 'cheap'),
  ])
  const message = String(bodyOf(form)['id'])
  const id = reportIn(await reportMessage(ada, home.channel, message))
  const shownOf = async () => {
    const { message_context: around, reported_message_now: now } = bodyOf(await get(root, id)) as {
      readonly message_context: readonly ReportedMessage[]
      readonly reported_message_now: ReportedMessage | null
    }
    return { kept: around.find((each) => each.id === message), now }
  }
  const { kept, now } = await shownOf()
  expect(now).toStrictEqual(kept)
  const [prices] = kept?.attachments ?? []
  expect(kept?.attachments).toHaveLength(1)
  expect(prices).toMatchObject({ filename: 'prices.txt', size: 5, content_type: 'text/plain' })
  expect(await (await fetch(prices?.url ?? '')).text()).toBe('cheap')
  expect(await (await fetch(kept?.embeds[0]?.image.url ?? '')).text()).toBe('no picture')
  const path = `/v1/channels/${home.channel}/messages/${message}`
  expect((await guildhall.request('DELETE', path, { token: brian.token })).status).toBe(204)
  const later = await shownOf()
  expect(later.now).toBeNull()
  expect(later.kept?.attachments).toStrictEqual([{ ...prices, url: null, proxy_url: null }])
  expect(later.kept?.embeds[0]?.image.url).toBe('attachment://watch.png')
})
