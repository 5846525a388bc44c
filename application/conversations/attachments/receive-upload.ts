import type { Snowflake } from '../../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Ports } from '../../ports.ts'
import type { FoundUpload, UploadPiece } from '../../ports/uploads.ts'
import { finishUpload } from './finish-upload.ts'

type Needs = Pick<Ports, 'attachmentFiles' | 'uploadAddresses' | 'uploads'>

/** One piece of an upload that an address opens. */
export interface ExpectedPiece {
  readonly upload: FoundUpload
  readonly piece: UploadPiece
}

/** What became of a piece. `infected`: the scanner found something in the file, whose upload is dropped. */
export type ReceivedPiece = 'kept' | 'gone' | 'infected' | 'short' | 'too large'

/** Bytes that arrive for an address, and by which process. */
export interface ArrivingPiece extends ExpectedPiece {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly ip: string
  readonly newId: () => Snowflake
}

/**
 * Receives what is uploaded before its message, piece by piece. A piece may be sent again while the upload is not spent: the last one
 * counts (rules/messages#uploads).
 */
export function receiveUpload(ports: Needs) {
  const { attachmentFiles, uploadAddresses, uploads } = ports
  return {
    /** What an address expects; `gone` if its upload is, is spent, or takes no more pieces. */
    async expected(
      key: string,
      token: string,
      now: Timestamp,
    ): Promise<ExpectedPiece | 'invalid' | 'mismatch' | 'gone'> {
      const piece = uploadAddresses.open(key, token, now)
      if (typeof piece === 'string') return piece
      const upload = await uploads.find(piece.id)
      if (!upload || (piece.part !== null && upload.file)) return 'gone'
      return { upload, piece }
    },
    /** Keeps the piece. `short` and `too large` if it has another length than its address says: then nothing of it stays. */
    async receive({ upload, piece, bytes, ip, newId }: ArrivingPiece): Promise<ReceivedPiece> {
      const counted = { bytes: 0 }
      const arriving = counting(bytes, counted)
      const file =
        piece.part === null
          ? await attachmentFiles.receive(arriving, piece.size_bytes)
          : await attachmentFiles.receivePart(arriving, piece.size_bytes)
      if (file === 'too large') return file
      try {
        if (counted.bytes < piece.size_bytes) return 'short'
        if (piece.part !== null) return await uploads.keepPart(upload, piece.part, file)
        const asker = { ip, account: { id: upload.accountId } }
        const finished = await finishUpload(ports, upload, file, { asker, newId })
        return finished === 'finished' ? 'kept' : finished
      } finally {
        await attachmentFiles.discard(file)
      }
    },
  }
}

async function* counting(pieces: AsyncIterable<Uint8Array>, counted: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    counted.bytes += piece.length
    yield piece
  }
}
