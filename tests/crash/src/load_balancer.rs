//! The round-robin before the nodes: every connection goes to the next one that takes it.

use crate::service::Shop;
use anyhow::{Context, Result};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};

/// Listens where clients look for the service.
pub async fn start(shop: &Shop) -> Result<()> {
    let listener = TcpListener::bind(shop.address()).await.context("the balancer's address")?;
    let nodes = shop.listens.clone();
    tokio::spawn(async move {
        let mut next = 0;
        while let Ok((client, _)) = listener.accept().await {
            next += 1;
            tokio::spawn(pass_on(client, nodes.clone(), next));
        }
    });
    Ok(())
}

/// A client whom no node takes is hung up on, as when there is no service at all.
async fn pass_on(mut client: TcpStream, nodes: Vec<String>, first: usize) {
    for node in nodes.iter().cycle().skip(first % nodes.len()).take(nodes.len()) {
        if let Ok(mut node) = TcpStream::connect(node).await {
            // One of the two ends it, a killed node among them.
            let _ = copy_bidirectional(&mut client, &mut node).await;
            return;
        }
    }
}
