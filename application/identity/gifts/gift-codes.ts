import type { CommandContext } from '../../commands/command-context.ts'
import { alphanumeric, randomText } from '../../commands/random-text.ts'
import type { Ports } from '../../ports.ts'

/** The purpose of the gift codes' sealed box. */
export const giftSecrets = 'gift codes'

export const giftCode_chars = 32

type Needs = Pick<Ports, 'giftBox'>

/** The id of a gift and of its stream. Without the instance's key, nobody can tell the code. */
export function giftIdOf({ giftBox }: Needs, code: string): string {
  return giftBox.hash(`code ${code}`).toString('hex')
}

/** A new code: letters and digits. */
export function newGiftCode(context: CommandContext): string {
  return randomText(context, alphanumeric, giftCode_chars)
}

/** The code that a purchase pays for, always the same: nobody without the instance's key can tell it. */
export function giftCodeOfPurchase({ giftBox }: Needs, purchase: string): string {
  let code = ''
  for (let block = 0; code.length < giftCode_chars; block += 1) {
    // Bytes from 248 on are left out: otherwise the first characters would be more likely.
    for (const byte of giftBox.hash(`code of purchase ${purchase} ${block}`))
      if (byte < 248 && code.length < giftCode_chars) code += alphanumeric.charAt(byte % alphanumeric.length)
  }
  return code
}

/** A code as events store it. */
export function sealedCode({ giftBox }: Needs, gift: string, code: string): string {
  return giftBox.seal([gift], code).toString('base64')
}

/** The code of a gift. */
export function openCode({ giftBox }: Needs, gift: string, sealed: string): string {
  return giftBox.open([gift], Buffer.from(sealed, 'base64'))
}
