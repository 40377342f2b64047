// Styles of the kit that the sign-in page and the application share, in the kit's own order. `more-styles.ts` has those
// that only the application needs. A component whose line is missing is unstyled: `npm run check` names the missing
// line.
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Input.css'
import './tokens.css'
import './kit.css'
import '@mantine/core/styles/Group.css'
import '@mantine/core/styles/PasswordInput.css'
import '@mantine/core/styles/ActionIcon.css'
