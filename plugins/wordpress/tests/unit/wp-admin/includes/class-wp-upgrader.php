<?php

// WordPress reads its class WP_Upgrader from here. The tests have one of their own.
