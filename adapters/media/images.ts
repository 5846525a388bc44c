import { createHash } from 'node:crypto'
import type { ImageLocation, Images, KeptImage, ReadImage } from '../../application/ports/images.ts'
import { imageKinds, type ImageKind } from '../../domain/images/image-kinds.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import type { DecodedImage } from './decoding/decode.ts'
import type { Decoder } from './decoding/decoder.ts'
import type { ByteStore, StoredName } from './byte-store.ts'

const hash_characters = 32
const movingPrefix = 'a_'

/**
 * Reads images with a decoder and keeps them in a store. An animated image is kept twice: whole under its hash, and as
 * a still under the hash without `a_`, which is its name while its guild may not show the animation.
 */
export function imagesIn(decoder: Decoder, store: ByteStore): Images {
  return {
    async read(bytes, asker) {
      const decoded = await decoder.decode(bytes, asker)
      return typeof decoded === 'string' ? decoded : readImage(store, decoded)
    },
    async copy(from, hash, to) {
      const bytes = await store.get(nameOf(from, hash))
      if (!bytes) return false
      const still = hash.startsWith(movingPrefix) ? await store.get(nameOf(from, atRest(hash))) : undefined
      if (still) await store.put(nameOf(to, atRest(hash)), still)
      await store.put(nameOf(to, hash), bytes)
      return true
    },
    async remove(location, hash) {
      await store.remove(nameOf(location, hash))
      if (hash.startsWith(movingPrefix)) await store.remove(nameOf(location, atRest(hash)))
    },
    async removeAllOf(owner) {
      for (const kind of imageKinds) await store.removeFolder(`${kind}/${owner}/`)
    },
    async contentsOf(owner) {
      const hashes: string[] = []
      for (const kind of imageKinds)
        for await (const page of store.list(`${kind}/${owner}/`))
          for (const { name } of page) {
            const bytes = await store.get(name)
            if (bytes) hashes.push(contentHash(bytes))
          }
      return hashes
    },
    async *kept() {
      for (const kind of imageKinds)
        for await (const page of store.list(`${kind}/`)) yield page.flatMap((stored) => keptImage(kind, stored))
    },
  }
}

/** Empty for a name that no image has. */
function keptImage(kind: ImageKind, { name, storedAt }: StoredName): readonly KeptImage[] {
  const [, ...parts] = name.split('/')
  const hash = parts.pop()
  const owner = parts.join('/')
  return owner === '' || hash === undefined ? [] : [{ kind, owner, hash, storedAt: timestamp(storedAt.getTime()) }]
}

function readImage(store: ByteStore, decoded: DecodedImage): ReadImage {
  const { still, moving, animated, isStill, colour, width, height } = decoded
  const plain = contentHash(moving ?? still)
  const hash = moving === null ? plain : `${movingPrefix}${plain}`
  return {
    animated,
    isStill,
    colour,
    width,
    height,
    hash,
    async store(location) {
      await store.put(nameOf(location, plain), still)
      if (moving !== null) await store.put(nameOf(location, hash), moving)
      return { hash, width, height }
    },
  }
}

/** The hash of an image's bytes, by which it is named. */
export function contentHash(bytes: Uint8Array): string {
  const hasher = contentHasher()
  hasher.add(bytes)
  return hasher.hash()
}

/** The same of content that comes in pieces. */
export function contentHasher(): { readonly add: (piece: Uint8Array) => void; readonly hash: () => string } {
  const hash = createHash('sha256')
  return { add: (piece) => void hash.update(piece), hash: () => hash.digest('hex').slice(0, hash_characters) }
}

/** The name of an image in the store, and its path below /media. */
export function nameOf({ kind, owner }: ImageLocation, hash: string): string {
  return `${kind}/${owner}/${hash}`
}

function atRest(hash: string): string {
  return hash.slice(movingPrefix.length)
}
