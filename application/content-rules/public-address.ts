import { globalNetworks, specialNetworks } from '../../domain/network/private-networks.ts'
import { addressList, plainAddress } from './address-list.ts'

const isGlobal = addressList(globalNetworks)
const isSpecial = addressList(specialNetworks)

/** Whether others on the Internet may be at an address, in any spelling. False for text that is not an address. */
export function isPublicAddress(text: string): boolean {
  const address = plainAddress(text)
  return address !== undefined && isGlobal(address) && !isSpecial(address)
}
