import { banMember, unbanMember } from '../../../application/communities/bans/ban-member.js'
import { listBans } from '../../../application/communities/bans/list-bans.js'
import { changeMemberRole } from '../../../application/communities/members/change-member-roles.js'
import { changeMember } from '../../../application/communities/members/change-member.js'
import { kickMember } from '../../../application/communities/members/kick-member.js'
import { listMembers, readAdmission, readMember } from '../../../application/communities/members/read-members.js'
import type { Ports } from '../../../application/ports.js'

/** The members of guilds, and whom guilds keep out. */
export function memberUseCases(ports: Ports) {
  return {
    members: {
      addRole: changeMemberRole(ports, 'AddMemberRole'),
      admission: readAdmission(ports),
      change: changeMember(ports),
      kick: kickMember(ports),
      list: listMembers(ports),
      read: readMember(ports),
      removeRole: changeMemberRole(ports, 'RemoveMemberRole'),
    },
    bans: {
      ban: banMember(ports),
      list: listBans(ports),
      unban: unbanMember(ports),
    },
  }
}
