import { z } from 'zod'
import type { SealedBox } from '../../application/secrets/sealed-box.ts'

/** The sealed content of a mail: what is needed to send or read it. */
const mailContent = z.object({ to: z.string(), subject: z.string(), text: z.string() })
export type MailContent = z.output<typeof mailContent>

export function sealedContent(box: SealedBox, key: Uint8Array, content: MailContent): Buffer {
  return box.seal(contextOf(key), JSON.stringify(content))
}

export function contentOf(box: SealedBox, key: Uint8Array, sealed: Uint8Array): MailContent {
  return mailContent.parse(JSON.parse(box.open(contextOf(key), sealed)))
}

const contextOf = (key: Uint8Array): readonly string[] => [Buffer.from(key).toString('hex')]
