import Alert from '@mui/material/Alert'
import type { ReactNode } from 'react'
import {
  AppBar,
  Layout,
  LocalesMenuButton,
  Menu,
  TitlePortal,
  ToggleThemeButton,
  useGetIdentity,
  UserMenu,
  useTranslate,
} from 'react-admin'
import { Acts } from './acts/acts.tsx'
import { LostConnection } from './parts/lost-connection.tsx'
import { ProofDialog } from './parts/proof-dialog.tsx'
import { SignInDialog } from './parts/sign-in-dialog.tsx'
import { useAcls } from './parts/use-acls.ts'
import { views } from './views.tsx'

/** What stands around each view. */
export function ConsoleLayout({ children }: { readonly children: ReactNode }) {
  return (
    <Layout
      appBar={ConsoleBar}
      menu={ConsoleMenu}
      // Tables are moved sideways by themselves, not the page.
      sx={{
        width: '100%',
        minWidth: 0,
        '& .RaLayout-content, & .RaList-main, & .RaShow-main, & .RaShow-card': { minWidth: 0 },
      }}
    >
      <Greeting />
      <Acts>{children}</Acts>
      <LostConnection />
      <ProofDialog />
      <SignInDialog />
    </Layout>
  )
}

function ConsoleBar() {
  const { identity } = useGetIdentity()
  const toolbar = (
    <>
      <ToggleThemeButton />
      <LocalesMenuButton />
    </>
  )
  return (
    // Its name is what stands on it.
    <AppBar toolbar={toolbar} userMenu={<UserMenu label={identity?.fullName} />} sx={barStyle}>
      <TitlePortal />
    </AppBar>
  )
}

/** One line, whatever the size of letters: the bar lies over the page. On a phone the language is its icon alone. */
const barStyle = {
  '& #react-admin-title *': { whiteSpace: 'nowrap' },
  '& .MuiButton-root': { fontSize: { xs: 0, sm: '0.875rem' }, minWidth: 0 },
  '& .MuiButton-endIcon': { display: { xs: 'none', sm: 'inherit' } },
}

/** The views that the reader may open. */
function ConsoleMenu() {
  const translate = useTranslate()
  const { may } = useAcls()
  return (
    <Menu>
      {views
        .filter(({ needs }) => needs.some((id) => may(id)))
        .map(({ name, path, icon: Icon }) => (
          <Menu.Item key={name} to={path} primaryText={translate(`console.views.${name}`)} leftIcon={<Icon />} />
        ))}
    </Menu>
  )
}

/** Tells who has signed in and may administer nothing. */
function Greeting() {
  const translate = useTranslate()
  const { isKnown, holds } = useAcls()
  if (!isKnown || holds('admin:authenticate')) return null
  return <Alert severity="warning">{translate('console.say.no_access')}</Alert>
}
