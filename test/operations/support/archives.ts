import { unzipSync } from 'fflate'
import { expect } from 'vitest'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf } from './answers.ts'

type Holder = Pick<TestAccount, 'token'>

/** The files of an archive, by path. */
export type ArchivedFiles = ReadonlyMap<string, Uint8Array>

/** What a holder does with archives. */
export function harvestsOf({ request }: TestGuildhall, { token }: Holder) {
  const path = '/v1/users/@me/harvest'
  return {
    ask: (): Promise<TestAnswer> => request('POST', path, { token }),
    askFiltered: (body: object): Promise<TestAnswer> => request('POST', `${path}/filtered`, { token, body }),
    latest: (): Promise<TestAnswer> => request('GET', `${path}/latest`, { token }),
    get: (id: string): Promise<TestAnswer> => request('GET', `${path}/${id}`, { token }),
    link: (id: string): Promise<TestAnswer> => request('GET', `${path}/${id}/download`, { token }),
  }
}

/** An archive as administrators see it. */
export type ShownArchive = Readonly<Record<string, unknown>>

/** What an administrator does with archives of accounts (`users`) or of guilds. */
export function adminArchivesOf({ request }: TestGuildhall, of: 'users' | 'guilds', root: Holder) {
  const trigger = (id: string, body: unknown = {}, { token } = root): Promise<TestAnswer> =>
    request('POST', `/v1/admin/${of}/${id}/archives`, { token, body })
  const read = (path: string, { token } = root): Promise<TestAnswer> =>
    request('GET', `/v1/admin/archives${path}`, { token })
  const pathOf = (archive: ShownArchive): string =>
    ['', archive['subject_type'], archive['subject_id'], archive['archive_id']].join('/')
  const shown = async (archive: ShownArchive) => bodyOf(await read(pathOf(archive)))['archive'] as ShownArchive
  return {
    trigger,
    read,
    pathOf,
    shown,
    /** Asks for an archive and waits until it is built. */
    async built(id: string): Promise<ShownArchive> {
      const asked = bodyOf(await trigger(id))
      await expect.poll(() => shown(asked)).toMatchObject({ progress_percent: 100 })
      return shown(asked)
    },
    /** The ids of the archives that a query finds. */
    async listed(query: string, by = root): Promise<readonly unknown[]> {
      const { archives } = bodyOf(await read(query, by))
      return (archives as readonly ShownArchive[]).map((each) => each['archive_id'])
    },
    /** The files of an archive that is built. */
    async files(archive: ShownArchive): Promise<ArchivedFiles> {
      return downloaded(String(bodyOf(await read(`${pathOf(archive)}/download`))['downloadUrl']))
    },
  }
}

/** Asks for an archive, waits until it is built, and opens it. */
export async function ownArchive(guildhall: TestGuildhall, holder: Holder, filter?: object): Promise<ArchivedFiles> {
  const harvests = harvestsOf(guildhall, holder)
  const asked = bodyOf(await (filter ? harvests.askFiltered(filter) : harvests.ask()))
  const id = String(asked['harvest_id'])
  await expect.poll(async () => bodyOf(await harvests.get(id))['status']).toBe('completed')
  return downloaded(String(bodyOf(await harvests.link(id))['download_url']))
}

/** The files behind a link, once their number of bytes is checked. */
export async function downloaded(url: string): Promise<ArchivedFiles> {
  const answer = await fetch(url)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const bytes = new Uint8Array(await answer.arrayBuffer())
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  return new Map(Object.entries(unzipSync(bytes)))
}

/** The value of a JSON file. */
export function jsonIn(files: ArchivedFiles, path: string): unknown {
  const bytes = files.get(path)
  if (!bytes) throw new Error(`The archive has no ${path}`)
  return JSON.parse(Buffer.from(bytes).toString())
}

/** The contents of an account's messages in the archive, by channel, oldest first. */
export function messagesIn(files: ArchivedFiles): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {}
  for (const path of files.keys()) {
    const channel = /^channels\/(\d+)\/messages\.json$/.exec(path)?.[1]
    if (channel === undefined) continue
    const messages = jsonIn(files, path) as readonly { readonly content: string }[]
    found[channel] = messages.map(({ content }) => content)
  }
  return found
}
