import http from 'node:http'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf } from './answers.ts'

/** What Request attachment uploads answers for a file: one address, or several. */
export interface UploadPlan {
  readonly filename: string
  readonly upload_filename: string
  readonly file_size: number
  readonly content_type: string
  readonly upload_url: string
  readonly upload_id: string
  readonly part_size: number
  readonly parts: readonly { readonly part_number: number; readonly upload_url: string }[]
}

type Sender = Pick<TestAccount, 'token'>

const uploadsPath = (channel: string, end = ''): string => `/v1/channels/${channel}/attachments${end}`

/** What a request for addresses says of a file. */
export const describedFile = (filename: string, file_size: number, id = 0): object => ({
  id,
  filename,
  file_size,
  content_type: 'text/x-whatever',
})

export const plansOf = (answer: TestAnswer): readonly UploadPlan[] =>
  bodyOf(answer)['attachments'] as readonly UploadPlan[]

/** What a message says of a file that was uploaded before. */
export const namedUpload = (
  { upload_filename, filename, file_size, content_type }: UploadPlan,
  more: object = {},
): object => ({ id: 0, upload_filename, filename, file_size, content_type, ...more })

/** Sends a piece to its address; gives the status. */
export async function putPiece(url: string, bytes: Uint8Array): Promise<number> {
  return (await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })).status
}

/** The same, without saying how long it is. */
export function putChunked(url: string, text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'PUT' }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    request.on('error', reject)
    request.write(text.slice(0, 2))
    request.end(text.slice(2))
  })
}

/** Uploads for messages of a channel. */
export function uploading({ request }: Pick<TestGuildhall, 'request'>, channel: string) {
  const ask = ({ token }: Sender, attachments: readonly object[], at = channel): Promise<TestAnswer> =>
    request('POST', uploadsPath(at), { token, body: { attachments } })
  async function plan(by: Sender, filename: string, size: number): Promise<UploadPlan> {
    const answer = await ask(by, [describedFile(filename, size)])
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return plansOf(answer)[0] as UploadPlan
  }
  return {
    ask,
    plan,
    async uploaded(by: Sender, filename: string, bytes: Uint8Array): Promise<UploadPlan> {
      const planned = await plan(by, filename, bytes.length)
      const status = await putPiece(planned.upload_url, bytes)
      if (status !== 200) throw new Error(`The piece was refused with ${status}`)
      return planned
    },
    complete: ({ token }: Sender, ...plans: readonly Pick<UploadPlan, 'upload_filename' | 'upload_id'>[]) =>
      request('POST', uploadsPath(channel, '/complete'), {
        token,
        body: { uploads: plans.map(({ upload_filename, upload_id }) => ({ upload_filename, upload_id })) },
      }),
  }
}
