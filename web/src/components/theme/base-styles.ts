// Styles of the kit that every entry with the kit needs, in the kit's own order.
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Input.css'
import './tokens.css'
import './kit.css'
