import type { Readable } from 'node:stream'
import type { AttachmentFiles, FileBounds, SentFile } from '../../../../application/ports/attachments.ts'
import { reject } from '../../../../application/commands/refused.ts'
import { filenameOf } from '../../../../domain/attachments/filename.ts'
import type { FieldCode } from '../../../../domain/kernel/field-codes.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { parseJson, type ParsedJson } from './parse-json.ts'

const index_max = 10_000
const numbered = /^files\[(?<index>-?[0-9]{1,9})\]$/
const formerName = /^file(?<index>[0-9]{0,9})$/
const payloadName = 'payload_json'

/** The members that a form may have as fields of its own. */
const ownFields: Readonly<Record<string, (values: readonly string[]) => unknown>> = {
  content: ([text]) => text,
  nonce: ([text]) => text,
  tts: ([text]) => (text === 'true' ? true : text === 'false' ? false : text),
  flags: ([text = '']) => (/^[0-9]{1,15}$/.test(text) ? Number(text) : text),
  favorite_meme_id: ([text]) => text,
  sticker_ids: (values) => values,
}

/** A form of a message with files, as far as it was read (rules/messages#forms). */
export class FormWithFiles {
  readonly #bounds: FileBounds
  readonly #store: Pick<AttachmentFiles, 'receive' | 'discard'>
  readonly #fields = new Map<string, string[]>()
  readonly #streams = new Map<string, Readable>()
  readonly #indexes = new Map<number, string>()
  readonly #received: SentFile[] = []
  readonly #atWork: Promise<void>[] = []

  constructor(bounds: FileBounds, store: Pick<AttachmentFiles, 'receive' | 'discard'>) {
    this.#bounds = bounds
    this.#store = store
  }

  /** Adds a member that is text. */
  add(name: string, value: string, isCut: boolean): void {
    if (isCut) formFault(name === payloadName ? name : 'body', 'TOO_LARGE')
    if (name !== payloadName && !Object.hasOwn(ownFields, name)) return
    this.#fields.set(name, [...(this.#fields.get(name) ?? []), value])
  }

  /** Receives a file as it comes. Throws what is wrong with its name, and rejects with FILE_SIZE_TOO_LARGE. */
  receive(name: string, stream: Readable, filename: string | undefined): Promise<void> {
    // An error of the whole form destroys it.
    stream.on('error', () => undefined)
    const index = this.#indexOf(name)
    if (index === undefined) {
      stream.resume()
      return Promise.resolve()
    }
    this.#streams.set(String(index), stream)
    const received = this.#receive(index, stream, filename ?? '')
    this.#atWork.push(received)
    return received
  }

  async #receive(index: number, stream: Readable, filename: string): Promise<void> {
    const file = await this.#store.receive(stream, this.#bounds.file_bytes_max)
    if (file === 'too large') return reject('FILE_SIZE_TOO_LARGE')
    this.#received.push({ index, filename: filenameOf(filename), file })
  }

  /** Undefined for a part that is ignored. */
  #indexOf(name: string): number | undefined {
    if (name === payloadName) formFault(payloadName, 'INVALID_JSON_IN_PAYLOAD_JSON')
    const former = formerName.exec(name)?.groups?.['index']
    const text = numbered.exec(name)?.groups?.['index'] ?? former
    if (text === undefined && name.startsWith('files[')) formFault(name, 'INVALID_FILE_FIELD_NAME')
    if (text === undefined) return undefined
    const index = Number(text)
    const { files_max } = this.#bounds
    if (index < 0 || index > index_max) formFault(name, 'FILE_INDEX_EXCEEDS_MAXIMUM', index_max)
    if (files_max === 0) formFault('files', 'ATTACHMENTS_NOT_ALLOWED_FOR_MESSAGE')
    if (index >= files_max) formFault(name, 'FILE_INDEX_EXCEEDS_MAXIMUM', files_max - 1)
    const before = this.#indexes.get(index)
    if (before === name) formFault(name, 'MULTIPLE_FILES_FOR_INDEX_NOT_ALLOWED')
    if (before !== undefined) formFault(name, 'DUPLICATE_FILE_INDEX')
    this.#indexes.set(index, name)
    return index
  }

  /** Resolves once every file that was begun is there; rejects as the first that is not. */
  async received(): Promise<void> {
    await Promise.all(this.#atWork)
  }

  /** Removes what was received, and ends what is being received. */
  async discard(): Promise<void> {
    for (const stream of this.#streams.values()) if (!stream.readableEnded) stream.destroy(new Error('not wanted'))
    await Promise.allSettled(this.#atWork)
    for (const { file } of this.#received) await this.#store.discard(file)
  }

  /** In the order of their numbers. */
  get files(): readonly SentFile[] {
    return this.#received.toSorted((one, other) => one.index - other.index)
  }

  /** The other members, as a JSON body would have them. Refuses with INVALID_JSON_IN_PAYLOAD_JSON. */
  json(members_max: number): ParsedJson {
    const [payload = '{}', second] = this.#fields.get(payloadName) ?? []
    const parsed = parseJson(Buffer.from(payload), members_max)
    if (!parsed.ok && parsed.fault.code === 'TOO_LARGE') return parsed
    if (second !== undefined || !parsed.ok || !isObject(parsed.value))
      return formFault(payloadName, 'INVALID_JSON_IN_PAYLOAD_JSON')
    const own = [...this.#fields].flatMap(([name, values]) => {
      const read = Object.hasOwn(ownFields, name) ? ownFields[name] : undefined
      return read ? [[name, read(values)] as const] : []
    })
    const over = Object.fromEntries(own)
    const texts = parsed.longIntegersAsTexts
    return {
      ok: true,
      value: { ...parsed.value, ...over },
      ...(isObject(texts) && { longIntegersAsTexts: { ...texts, ...over } }),
    }
  }

  /** What tells this form from another one, for repeats of a request. */
  get fingerprint(): Buffer {
    const files = this.files.map(({ index, filename, file }) => [index, filename, file.hash])
    return Buffer.from(JSON.stringify([[...this.#fields], files]))
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Refuses a form for what is wrong with one part of it. `max` is the highest number that a file may have. */
export function formFault(path: string, code: FieldCode, max?: number): never {
  return reject('INVALID_FORM_BODY', field(path, code, max === undefined ? undefined : { reason: 'out_of_range', max }))
}
