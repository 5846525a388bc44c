/** A mail as its reader sees it. */
export interface ReceivedMail {
  /** From the envelope. */
  readonly from: string
  readonly to: readonly string[]
  /** By lower-case name; unfolded, not decoded. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly subject: string
  readonly text: string
  /** The mail exactly as it arrived. */
  readonly raw: string
}

/** Parses a mail that arrived over SMTP: one part of plain text. */
export function receivedMail(from: string, to: readonly string[], raw: string): ReceivedMail {
  const end = raw.indexOf('\r\n\r\n')
  const headers = new Map<string, string[]>()
  const lines = raw.slice(0, end).replace(/\r\n[ \t]+/g, ' ')
  for (const line of lines.split('\r\n')) {
    const [name = '', ...value] = line.split(':')
    const values = headers.get(name.toLowerCase()) ?? []
    headers.set(name.toLowerCase(), [...values, value.join(':').trim()])
  }
  const encoding = headers.get('content-transfer-encoding')?.[0] ?? '7bit'
  const text = decoded(encoding, raw.slice(end + 4)).replaceAll('\r\n', '\n')
  return { from, to, headers, subject: words(headers.get('subject')?.[0] ?? ''), text, raw }
}

function decoded(encoding: string, body: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  return encoding === 'quoted-printable' ? quotedPrintable(body.replace(/=\r\n/g, '')) : body
}

function quotedPrintable(text: string): string {
  const bytes = text.replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Decodes the encoded words of a header (RFC 2047). */
function words(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : quotedPrintable(word.replaceAll('_', ' ')),
    )
}
