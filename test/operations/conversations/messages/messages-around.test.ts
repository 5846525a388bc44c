import { describe, expect, it } from 'vitest'
import { listOf } from '../../support/answers.ts'
import { messagesPath, sent } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'

/** A page around a message contains the message, and if one side is short, the other fills the page. */

const { guildhall, ada, home } = await openScene()
const oldest: string[] = []
for (let number = 0; number < 13; number += 1) oldest.push(await sent(guildhall, ada, home.channel, `${number}`))
/** The other messages in the channel, about members who joined, are older. */
const all = listOf(await guildhall.request('GET', `${messagesPath(home.channel)}?limit=100`, { token: ada.token }))
  .map(({ id }) => String(id))
  .toReversed()
const numbered = all.slice(-13)

async function around(id: string | undefined, limit: number): Promise<readonly number[]> {
  const path = `${messagesPath(home.channel)}?around=${id}&limit=${limit}`
  return listOf(await guildhall.request('GET', path, { token: ada.token })).map(({ id: found }) =>
    all.indexOf(String(found)),
  )
}
/** Places in the channel, newest first. */
const places = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index)

describe('messages around one', () => {
  const last = all.length - 1
  it('fill the page from the other side near an edge', async () => {
    expect(numbered).toStrictEqual(oldest)
    expect(await around(all.at(-1), 20)).toStrictEqual(places(last, 0))
    expect(await around(all[0], 20)).toStrictEqual(places(last, 0))
    expect(await around(all.at(-1), 6)).toStrictEqual(places(last, last - 5))
    expect(await around(all[0], 6)).toStrictEqual(places(5, 0))
    expect(await around(all[1], 6)).toStrictEqual(places(5, 0))
    expect(await around(all.at(-2), 6)).toStrictEqual(places(last, last - 5))
  })
  it('have as many newer ones as older ones far from the edges', async () => {
    expect(await around(all[6], 5)).toStrictEqual(places(8, 4))
    expect(await around(all[6], 6)).toStrictEqual(places(9, 4))
    expect(await around(all[6], 1)).toStrictEqual([6])
  })
  it('are found around an id that is not a message', async () => {
    expect(await around('1', 4)).toStrictEqual(places(3, 0))
    expect(await around('9223372036854775807', 4)).toStrictEqual(places(last, last - 3))
  })
})
