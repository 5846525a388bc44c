import { permissionBits, type PermissionName } from '../../../domain/permissions/permission-bits.ts'

export const permissionNames = Object.keys(permissionBits) as readonly PermissionName[]

export function maskOf(names: readonly PermissionName[]): bigint {
  return names.reduce((mask, name) => mask | permissionBits[name], 0n)
}

export function namesIn(mask: bigint): readonly PermissionName[] {
  return permissionNames.filter((name) => (mask & permissionBits[name]) !== 0n)
}
