import type { Ports } from '../../ports.ts'
import type { Caller } from '../../caller.ts'

/** An address, and the one that takes its place. */
export interface RenewedAddress {
  readonly original: string
  readonly refreshed: string
}

/**
 * New addresses for those of attachments, in their order. Any other address stays as it is. Whoever has an address may renew it:
 * neither membership nor the file is looked up. See rules/messages#addresses-of-files.
 */
export function renewAddresses({ attachmentAddresses }: Pick<Ports, 'attachmentAddresses'>) {
  return async ({ context: { now } }: Caller, addresses: readonly string[]): Promise<readonly RenewedAddress[]> =>
    addresses.map((original) => ({ original, refreshed: attachmentAddresses.renewed(original, now) ?? original }))
}
