import { createHash } from 'node:crypto'
import type { WrappedKey } from '../../adapters/personal-data/wrapped-keys.ts'
import { beforeAll, type Position } from '../../domain/kernel/position.ts'
import type { StoredEvent } from '../../application/ports/stored-events.ts'
import {
  anyHeader,
  blockLines_max,
  bodyLine,
  format,
  headerLine,
  storedEvent,
  version,
  wrappedKey,
  type BodyLine,
  type Header,
  type LineOf,
} from './format.ts'
import { each, faultOf, jsonOf, linesOf } from './lines.ts'

/** A file that can't be imported. The message says what is wrong with it, and where. */
export class HistoryFileRefused extends Error {
  override readonly name = 'HistoryFileRefused'
}

export interface HistoryFile {
  readonly header: Header
  /** The rest of the file, in verified blocks. Rejects with HistoryFileRefused at the first block that was changed. */
  readonly blocks: AsyncIterable<Block>
}

export interface Block {
  readonly events: readonly StoredEvent[]
  readonly keys: readonly WrappedKey[]
}

/** Reads a history file from its bytes. Rejects with HistoryFileRefused if they don't begin like a file of this version. */
export async function openHistory(chunks: AsyncIterable<Uint8Array>): Promise<HistoryFile> {
  const lines = each(linesOf(chunks))
  const { value, done } = await lines.next()
  if (done) throw new HistoryFileRefused('There is nothing to import: the file is empty')
  const reader = new Reader(value)
  return { header: reader.header, blocks: blocksFrom(reader, lines) }
}

async function* blocksFrom(reader: Reader, lines: AsyncIterable<Buffer>): AsyncGenerator<Block> {
  for await (const line of lines) {
    const block = reader.take(line)
    if (block) yield block
  }
  reader.expectEnd()
}

class Reader {
  readonly header: Header
  readonly #hash = createHash('sha256')
  #lineNumber = 1
  #open: { events: StoredEvent[]; keys: WrappedKey[] } = { events: [], keys: [] }
  #events = 0
  #keys = 0
  #position: Position
  #hasEnded = false

  constructor(firstLine: Buffer) {
    const line = jsonOf(firstLine)
    const known = anyHeader.safeParse(line)
    if (!known.success) throw new HistoryFileRefused(`The first line is not the header of a ${format} file`)
    if (known.data.version !== version)
      throw new HistoryFileRefused(
        `The file has version ${known.data.version} of its format, and this program knows ${version}`,
      )
    const header = headerLine.safeParse(line)
    if (!header.success) throw this.#refusal(`its header has ${faultOf(header.error)}`)
    this.header = header.data
    this.#position = this.header.after?.position ?? beforeAll
    this.#hash.update(firstLine).update('\n')
  }

  /** Takes the next line; gives a block if the line completes one. */
  take(bytes: Buffer): Block | undefined {
    this.#lineNumber += 1
    if (this.#hasEnded) throw this.#refusal('something comes after its end')
    const parsed = bodyLine.safeParse(jsonOf(bytes))
    if (!parsed.success) throw this.#refusal(`no line of this format: ${faultOf(parsed.error)}`)
    const block = this.#takeLine(parsed.data)
    this.#hash.update(bytes).update('\n')
    return block
  }

  expectEnd(): void {
    if (!this.#hasEnded) throw new HistoryFileRefused('The file has no last line: it is not whole')
  }

  #takeLine(line: BodyLine): Block | undefined {
    switch (line.kind) {
      case 'event':
        return this.#takeEvent(storedEvent(line))
      case 'key':
      case 'destroyed_key':
        this.#open.keys.push(wrappedKey(line))
        return this.#boundBlock()
      case 'block':
        return this.#closeBlock(line)
      case 'end':
        return this.#end(line)
    }
  }

  #takeEvent(event: StoredEvent): undefined {
    if (event.position <= this.#position)
      throw this.#refusal(`position ${event.position} does not come after ${this.#position}`)
    this.#position = event.position
    this.#open.events.push(event)
    return this.#boundBlock()
  }

  #boundBlock(): undefined {
    if (this.#lines > blockLines_max) throw this.#refusal(`a block has more than ${blockLines_max} lines`)
  }

  get #lines(): number {
    return this.#open.events.length + this.#open.keys.length
  }

  #closeBlock({ lines, sha256 }: LineOf<'block'>): Block {
    this.#expectHash(sha256)
    if (lines !== this.#lines) throw this.#refusal(`it seals ${lines} lines, and there are ${this.#lines}`)
    const block = this.#open
    this.#open = { events: [], keys: [] }
    this.#events += block.events.length
    this.#keys += block.keys.length
    return block
  }

  #end({ events, keys, position, sha256 }: LineOf<'end'>): undefined {
    this.#expectHash(sha256)
    if (this.#lines > 0) throw this.#refusal('events before it are in no block')
    const isRight = events === this.#events && keys === this.#keys && (position ?? beforeAll) === this.#position
    if (!isRight)
      throw this.#refusal(
        `it counts ${events} events and ${keys} keys, and there are ${this.#events} and ${this.#keys}`,
      )
    this.#hasEnded = true
  }

  #expectHash(sha256: string): void {
    if (this.#hash.copy().digest('hex') !== sha256)
      throw this.#refusal('the checksum is another one: lines before it are not as they were written')
  }

  #refusal(reason: string): HistoryFileRefused {
    return new HistoryFileRefused(`Line ${this.#lineNumber} of the file: ${reason}`)
  }
}
