import type { AttachmentFiles, FileBounds } from '../../../../application/ports/attachments.ts'
import { reject } from '../../../../application/commands/refused.ts'
import type { Exchange } from '../exchange.ts'
import { FormWithFiles, formFault } from './form-with-files.ts'
import { bodyBytes_max, keepPace } from './read-body.ts'

/** Members of the form besides files. Each repetition of one counts. */
const fields_max = 64
const parts_max = 128

/**
 * Reads a form with files, which are received as they come, and never held. The other members stand in `payload_json`; those that
 * have a field of their own win over it. A request gives up its slot at work meanwhile. Refuses with BAD_REQUEST and
 * SERVICE_UNAVAILABLE as `readBody` does, with FILE_SIZE_TOO_LARGE, and with INVALID_FORM_BODY for the first thing that is wrong with
 * the form (rules/messages#forms). What was received is discarded then.
 */
export async function readFiles(
  { raw, share }: Pick<Exchange, 'raw' | 'share'>,
  bounds: FileBounds,
  files: Pick<AttachmentFiles, 'receive' | 'discard'>,
): Promise<FormWithFiles> {
  const form = new FormWithFiles(bounds, files)
  if (!raw.complete) share.leave()
  try {
    await read(raw, form, (bytes) => share.hold(bytes))
    share.enter()
    return form
  } catch (error) {
    await form.discard()
    throw error
  }
}

async function read(raw: Exchange['raw'], form: FormWithFiles, hold: (bytes: number) => void): Promise<void> {
  const parser = await openParser(raw.headers)
  let read_bytes = 0
  const count = (piece: Buffer): void => {
    read_bytes += piece.length
  }
  try {
    await new Promise<void>((resolve, fail) => {
      /** What throws ends the reading. */
      const attempt = (act: () => void): void => {
        try {
          act()
        } catch (error) {
          stop(error)
        }
      }
      const stop = (error: unknown): void => fail(error as Error)
      const breakOff = (): void => attempt(() => reject('BAD_REQUEST'))
      const stopPace = keepPace(() => read_bytes, breakOff)
      const onClose = (): void => {
        stopPace()
        if (!raw.complete) breakOff()
      }
      raw.on('data', count).once('close', onClose).once('error', breakOff).once('end', stopPace)
      parser.on('file', (name, stream, filename) =>
        attempt(() => void form.receive(name, stream, filename).catch(stop)),
      )
      parser.on('field', (name, value, isNameCut, isCut) =>
        attempt(() => {
          hold(Buffer.byteLength(value))
          form.add(name, value, isNameCut || isCut)
        }),
      )
      for (const limit of ['partsLimit', 'fieldsLimit'] as const)
        parser.on(limit, () => attempt(() => formFault('files', 'TOO_MANY_FILES')))
      parser.on('error', () => attempt(() => formFault('body', 'FAILED_TO_PARSE_MULTIPART_FORM_DATA')))
      parser.on('finish', () => void form.received().then(resolve, stop))
      raw.pipe(parser)
    })
  } finally {
    raw
      .unpipe(parser)
      .off('data', count)
      .removeAllListeners('error')
      .on('error', () => undefined)
    parser.destroy()
  }
}

async function openParser(headers: Exchange['raw']['headers']) {
  const { Busboy } = await import('@fastify/busboy')
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      preservePath: true,
      isPartAFile: (name, type, filename) =>
        filename !== undefined || type === 'application/octet-stream' || name?.startsWith('files[') === true,
      limits: { fieldNameSize: 100, fieldSize: bodyBytes_max, fields: fields_max, parts: parts_max, headerPairs: 32 },
    })
  } catch (error) {
    if (error instanceof Error) return formFault('body', 'FAILED_TO_PARSE_MULTIPART_FORM_DATA')
    throw error
  }
}
