import { utimes } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { fileStore, imageFile } from '../../adapters/media/file-store.ts'
import { attachmentForm, type ByteStore } from '../../adapters/media/byte-store.ts'
import {
  checkedImage,
  copyImages,
  imageLine,
  imagesAndFiles,
  restoreImages,
  type ImageLine,
} from '../../cli/backup/images.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: string
let store: ByteStore
let backup: string
beforeEach(async () => {
  folder = await temporaryFolder('images')
  store = fileStore(path.join(folder, 'media'))
  backup = path.join(folder, 'backup')
})

const never = new AbortController().signal
const put = (name: string): Promise<void> => store.put(name, Buffer.from(`image ${name}`))

async function copied(since?: number, from = store): Promise<readonly ImageLine[]> {
  const lines: ImageLine[] = []
  for await (const some of copyImages(from, backup, never, since)) lines.push(...some)
  return lines
}

const namesOf = (lines: readonly ImageLine[]): readonly string[] => lines.map(({ name }) => name)

describe('the images of a backup', () => {
  it('are those of before its instant and those stored since, each once', async () => {
    await put('avatars/1/aaa')
    await put('icons/2/bbb')
    // Long before the backup; it was removed between the two looks.
    const hourAgo = new Date(Date.now() - 3_600_000)
    await utimes(imageFile(path.join(folder, 'media'), 'icons/2/bbb'), hourAgo, hourAgo)
    const began = Date.now()
    const before = await copied()
    expect([...namesOf(before)].toSorted()).toStrictEqual(['avatars/1/aaa', 'icons/2/bbb'])
    await store.remove('icons/2/bbb')
    await put('avatars/1/ccc')
    expect(namesOf(await copied(began))).toStrictEqual(['avatars/1/ccc'])
    for (const line of before) expect((await checkedImage(backup, line)).size_bytes).toBe(line.bytes)
  })

  it('do not include one that is removed while it is listed', async () => {
    await put('avatars/1/aaa')
    const removing: ByteStore = { ...store, find: async () => undefined }
    expect(await copied(undefined, removing)).toStrictEqual([])
  })

  it('are restored once more where they are missing or differ', async () => {
    for (let index = 0; index < 20; index += 1) await put(`avatars/${index}/aaa`)
    const lines = await copied()
    const target = fileStore(path.join(folder, 'target'))
    await target.put('avatars/3/aaa', Buffer.from('cut'))
    const pages = async function* () {
      yield lines
    }
    expect(await restoreImages(target, backup, pages(), never)).toBe(20)
    expect(await target.get('avatars/3/aaa')).toStrictEqual(Buffer.from('image avatars/3/aaa'))
  })

  it('have the files of messages with them', async () => {
    const kept = imagesAndFiles(store, fileStore(path.join(folder, 'media'), attachmentForm))
    const file = Buffer.alloc(3_000_000, 'x')
    await kept.put('attachments/1/2/file', file)
    await kept.put('avatars/1/aaa', Buffer.from('image'))
    const lines = await copied(undefined, kept)
    expect([...namesOf(lines)].toSorted()).toStrictEqual(['attachments/1/2/file', 'avatars/1/aaa'])
    expect(lines.every((line) => imageLine.safeParse(line).success)).toBe(true)
    const target = path.join(folder, 'target')
    const into = imagesAndFiles(fileStore(target), fileStore(target, attachmentForm))
    const pages = async function* () {
      yield lines
    }
    expect(await restoreImages(into, backup, pages(), never)).toBe(2)
    expect(file.equals((await into.get('attachments/1/2/file')) ?? Buffer.alloc(0))).toBe(true)
  })

  it.each(['attachments/1/../file', '../icons/1/a', 'icons/../a', 'icons/1/../../a', 'other/1/a', '/icons/1/a'])(
    'have no names such as %s, which lead elsewhere',
    (name) => {
      expect(imageLine.safeParse({ name, bytes: 1, sha256: 'a'.repeat(64) }).success).toBe(false)
    },
  )
})
