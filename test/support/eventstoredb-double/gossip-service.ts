import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type { handleUnaryCall } from '@grpc/grpc-js'
import { randomUUID } from 'node:crypto'
import type { Faults } from './faults.ts'

/** A node of the cluster, as the others know it. `leads` is undefined for a node that looks for a leader. */
export interface Member {
  readonly port: number
  readonly isAlive: boolean
  readonly leads: boolean | undefined
}

/** The RPC Gossip.Read: which nodes exist, and who leads. */
export function gossipHandler(
  members: () => readonly Member[],
  faults: Pick<Faults, 'working'>,
): handleUnaryCall<shared.Empty, gossip.ClusterInfo> {
  const { LEADER, FOLLOWER, UNKNOWN } = gossip.MemberInfo.VNodeState
  const answer = (): gossip.ClusterInfo => {
    const infos = members().map(({ port, isAlive, leads }) =>
      new gossip.MemberInfo()
        .setInstanceId(new shared.UUID().setString(randomUUID()))
        .setTimeStamp(String(Date.now()))
        .setState(leads === undefined ? UNKNOWN : leads ? LEADER : FOLLOWER)
        .setIsAlive(isAlive)
        .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(port)),
    )
    return new gossip.ClusterInfo().setMembersList(infos)
  }
  return (_, callback) => {
    const reply = async (): Promise<void> => {
      await faults.working()
      callback(null, answer())
    }
    void reply()
  }
}
