import type { Ports } from '../../application/ports.ts'

/** The ports of the operations that commands carry out. */
export type OperatorPorts = Pick<
  Ports,
  | 'adminAuditHash'
  | 'aggregates'
  | 'backgroundJobs'
  | 'blocklistBox'
  | 'deferred'
  | 'instance'
  | 'instancePolicies'
  | 'isProtectedAddress'
  | 'limits'
  | 'locks'
  | 'mail'
  | 'networkLookups'
  | 'queries'
  | 'readModels'
  | 'reminders'
  | 'reservations'
  | 'sessionActivity'
> & {
  readonly images: Pick<Ports['images'], 'remove' | 'removeAllOf'>
  readonly messages: Pick<Ports['messages'], 'lastOf' | 'removeOfAuthor'>
}

/** All ports, for declared operations, which take them whole. One that commands do not have throws when it is taken. */
export function allPorts(ports: OperatorPorts): Ports {
  const all: Ports = new Proxy(Object.create(ports), {
    get(target: object, name) {
      if (!(name in target)) throw new Error(`A command has no port ${String(name)}`)
      return Reflect.get(target, name) as unknown
    },
  })
  return all
}
