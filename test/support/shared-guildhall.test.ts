import { describe, expect, it } from 'vitest'
import { betweenFiles } from './left-behind.ts'
import { sharedGuildhall } from './shared-guildhall.ts'

/** What happens after a file of the worker. */
async function fileEnds(): Promise<void> {
  for (const end of betweenFiles) await end()
}

describe('a server that files share', () => {
  it('is one for each name, and gives everybody an account of their own, oldest first', async () => {
    const [one, other] = await Promise.all([sharedGuildhall(), sharedGuildhall('stock')])
    expect(one).toBe(other)
    const accounts = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? one : other).register()))
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(20)
    const inTurn = [await one.register(), await one.register(), await one.register()].map(({ id }) => id)
    expect(inTurn.toSorted()).toStrictEqual(inTurn)
  })

  it('cannot be closed by one of them', async () => {
    const { close } = await sharedGuildhall()
    await expect(close()).rejects.toThrow('Other files use the shared server too')
  })

  it('ends after the first file that did not ask for it, except the stock one', async () => {
    const [stock, hosted] = [await sharedGuildhall(), await sharedGuildhall('hosted')]
    await fileEnds()
    expect((await hosted.request('GET', '/_health')).status).toBe(200)
    await fileEnds()
    await expect(hosted.request('GET', '/_health')).rejects.toThrow('ECONNREFUSED')
    expect((await stock.request('GET', '/_health')).status).toBe(200)
    expect(await sharedGuildhall('hosted')).not.toBe(hosted)
  })
})
