import type { TestMail } from '../../support/test-guildhall.ts'

/** The code in a mail: XXXX-XXXX. */
export function codeIn({ subject, text }: TestMail): string {
  const code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(text)?.[0]
  if (code === undefined) throw new Error(`There is no code in ${subject}`)
  return code
}

/** A code that is wrong, whatever the right one is. */
export const wrongCode = '0000-000'
